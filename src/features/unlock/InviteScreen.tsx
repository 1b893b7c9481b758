import { View } from '@tarojs/components'
import { useState } from 'react'
import { type UnlockMethod, unlockMethods } from '@/api/unlock'
import { usePayStatus } from '@/api/usePayStatus'
import type { UnlockRecord } from '@/contract/types'
import { clipboard } from '@/platform/clipboard'
import { share } from '@/platform/share'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { usePageMeta } from '@/router/pageContext'
import { buildUrl } from '@/router/params'
import { appState } from '@/session/store'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { ShareButton, shareText } from '@/ui/ShareButton/ShareButton'
import { SkeletonReport } from '@/ui/Skeleton/SkeletonPages'
import { copy } from './copy'
import { HelperProgress } from './parts/HelperProgress'
import { UnlockedCelebration } from './parts/UnlockedCelebration'
import { UnlockMethods } from './parts/UnlockMethods'
import { useInvite } from './useInvite'
import './Unlock.scss'

const rules = () => void nav.to('article', { key: 'HELP_RULE' })

/** Asking friends while it runs; asking again once it is over. */
function AskFriends({ record, onRestart, busy }: { record: UnlockRecord; onRestart: () => void; busy: boolean }) {
  const path = buildUrl('reportUnlockAccept', { recordId: record.recordId })
  const left = record.restartsLeft ?? 0
  if (record.status === 'EXPIRED')
    return left > 0 ? (
      <Button kind='celebrate' block loading={busy} onClick={onRestart}>
        {copy.restart(left)}
      </Button>
    ) : null
  const url = share.link(path)
  return (
    <>
      <ShareButton
        kind='celebrate'
        icon='share'
        text={copy.invite}
        copyText={copy.copyOnly}
        title={copy.shareTitle}
        about={copy.shareAbout}
        path={path}
      />
      {share.way() === 'system' && url ? (
        <View className='un-ways__one'>
          <Button
            kind='secondary'
            block
            icon='copy'
            onClick={() => void clipboard.copy(shareText({ title: copy.shareTitle, about: copy.shareAbout, url }))}
          >
            {copy.copyLink}
          </Button>
        </View>
      ) : null}
    </>
  )
}

interface ContentProps {
  record: UnlockRecord
  ways: readonly UnlockMethod[]
  busy?: boolean
  onRestart: () => void
  onLook: () => void
}

export function InviteContent({ record, ways, busy = false, onRestart, onLook }: ContentProps) {
  const over = record.status === 'EXPIRED'
  const note = (record.restartsLeft ?? 0) > 0 ? copy.expiredNote : copy.noMore
  return (
    <>
      <Card className='un-head'>
        <View className='un-head__title'>{over ? copy.expired : copy.inviteTitle}</View>
        <View className='un-head__note'>{over ? note : copy.inviteNote(record.need)}</View>
        <HelperProgress record={record} onEnd={onLook} />
        <View className='un-head__note'>{copy.privacy}</View>
      </Card>
      <UnlockMethods orderId={record.orderId} ways={ways} onUnlocked={onLook}>
        <AskFriends record={record} onRestart={onRestart} busy={busy} />
      </UnlockMethods>
      <Card flush className='un-rule'>
        <Cell icon='doc' title={copy.rule} onClick={rules} />
      </Card>
    </>
  )
}

/** A report that needs no unlocking, or an order that is not there. */
function NothingToUnlock({ text, orderId }: { text: string; orderId: string }) {
  const view = () => void nav.redirect('report', { orderId })
  return <Empty art='report' text={text} action={{ text: copy.viewReport, onClick: view }} />
}

function InviteRecord({ orderId, ways }: { orderId: string; ways: readonly UnlockMethod[] }) {
  const { load, visible, again } = useInvite(orderId)
  const { data, error } = load
  const url = data && buildUrl('reportUnlockAccept', { recordId: data.recordId })
  usePageMeta(url ? { title: '邀请助力', shareTitle: copy.shareTitle, url } : undefined)
  if (!data && error && (error.status === 404 || error.status === 200))
    return <NothingToUnlock text={error.msg} orderId={orderId} />
  if (data?.status === 'DONE') return <UnlockedCelebration orderId={orderId} visible={visible} />
  return (
    <LoadBoundary load={load} skeleton={<SkeletonReport />}>
      {(record) => (
        <InviteContent
          record={record}
          ways={ways}
          busy={load.loading}
          onRestart={again}
          onLook={() => void load.reload()}
        />
      )}
    </LoadBoundary>
  )
}

/** Help is not open here: the other ways, if there are any. */
function OtherWays({ orderId, ways }: { orderId: string; ways: readonly UnlockMethod[] }) {
  const [done, setDone] = useState(false)
  if (done) return <UnlockedCelebration orderId={orderId} visible />
  if (ways.length === 0) return <NothingToUnlock text={copy.noWays} orderId={orderId} />
  return <UnlockMethods orderId={orderId} ways={ways} onUnlocked={() => setDone(true)} />
}

function LoadedInvite({ orderId }: { orderId: string }) {
  const { status, known } = usePayStatus(appState().platform)
  if (!known) return <SkeletonReport />
  const ways = unlockMethods(status)
  if (!status) return <Notice tone='warn' text={copy.noWays} />
  return ways.includes('HELP') ? (
    <InviteRecord orderId={orderId} ways={ways} />
  ) : (
    <OtherWays orderId={orderId} ways={ways} />
  )
}

/** Friends help to unlock a report, or it is unlocked in another way. */
export function InviteScreen({ params }: ScreenProps<'reportUnlockInvite'>) {
  if (params.orderId) return <LoadedInvite orderId={params.orderId} />
  const records = () => void nav.redirect('mineEvaluationRecords')
  return <Empty art='report' text={copy.missingOrder} action={{ text: copy.viewReport, onClick: records }} />
}
