import { View } from '@tarojs/components'
import { useState } from 'react'
import { type UnlockMethod, unlockMethods } from '@/api/unlock'
import { usePayStatus } from '@/api/usePayStatus'
import type { UnlockRecord } from '@/contract/types'
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
import { ShareButton } from '@/ui/ShareButton/ShareButton'
import { SkeletonReport } from '@/ui/Skeleton/SkeletonPages'
import { copy } from './copy'
import { HelperProgress } from './parts/HelperProgress'
import { UnlockedCelebration } from './parts/UnlockedCelebration'
import { UnlockMethods } from './parts/UnlockMethods'
import { useInvite } from './useInvite'
import './Unlock.scss'

const goRecords = { text: copy.goRecords, onClick: () => void nav.redirect('mineEvaluationRecords') }

/** Invites friends while the invitation is open; restarts it afterwards. */
function InviteFriends({ record, onRestart, busy }: { record: UnlockRecord; onRestart: () => void; busy: boolean }) {
  const path = buildUrl('reportUnlockAccept', { recordId: record.recordId })
  const left = record.restartsLeft ?? 0
  if (record.status === 'EXPIRED')
    return left > 0 ? (
      <Button block loading={busy} onClick={onRestart}>
        {copy.restart(left)}
      </Button>
    ) : null
  return (
    <ShareButton
      icon='share'
      text={copy.invite}
      copyText={copy.copyOnly}
      title={copy.shareTitle}
      about={copy.shareAbout}
      path={path}
    />
  )
}

interface ContentProps {
  record: UnlockRecord
  methods: readonly UnlockMethod[]
  busy?: boolean
  onRestart: () => void
  onLook: () => void
}

export function InviteContent({ record, methods, busy = false, onRestart, onLook }: ContentProps) {
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
      <UnlockMethods orderId={record.orderId} methods={methods} onUnlocked={onLook}>
        <InviteFriends record={record} onRestart={onRestart} busy={busy} />
      </UnlockMethods>
      <Card flush className='un-rule'>
        <Cell icon='doc' title={copy.rule} onClick={() => void nav.to('article', { key: 'HELP_RULE' })} />
      </Card>
    </>
  )
}

/** The report needs no unlock, or the order does not exist. */
function NothingToUnlock({ text, orderId }: { text: string; orderId: string }) {
  const view = () => void nav.redirect('report', { orderId })
  return <Empty art='report' text={text} action={{ text: copy.viewReport, onClick: view }} />
}

interface MethodsProps {
  orderId: string
  methods: readonly UnlockMethod[]
}

function InviteRecord({ orderId, methods }: MethodsProps) {
  const { load, visible, again } = useInvite(orderId)
  const { data, error } = load
  usePageMeta(
    data && {
      title: copy.title,
      shareTitle: copy.shareTitle,
      url: buildUrl('reportUnlockAccept', { recordId: data.recordId }),
    },
  )
  if (!data && error?.status === 404) return <Empty art='report' text={copy.orderNotFound} action={goRecords} />
  if (!data && error?.status === 200) return <NothingToUnlock text={error.msg} orderId={orderId} />
  if (data?.status === 'DONE') return <UnlockedCelebration orderId={orderId} visible={visible} />
  return (
    <LoadBoundary load={load} skeleton={<SkeletonReport />}>
      {(record) => (
        <InviteContent
          record={record}
          methods={methods}
          busy={load.loading}
          onRestart={again}
          onLook={() => void load.reload()}
        />
      )}
    </LoadBoundary>
  )
}

/** Friends' help is not available here: shows the other methods, if any. */
function OtherMethods({ orderId, methods }: MethodsProps) {
  const [done, setDone] = useState(false)
  if (done) return <UnlockedCelebration orderId={orderId} visible />
  if (methods.length === 0) return <NothingToUnlock text={copy.noMethods} orderId={orderId} />
  return <UnlockMethods orderId={orderId} methods={methods} onUnlocked={() => setDone(true)} />
}

function LoadedInvite({ orderId }: { orderId: string }) {
  const { load } = usePayStatus(appState().platform)
  return (
    <LoadBoundary load={load} skeleton={<SkeletonReport />}>
      {(status) => {
        const methods = unlockMethods(status)
        const Content = methods.includes('HELP') ? InviteRecord : OtherMethods
        return <Content orderId={orderId} methods={methods} />
      }}
    </LoadBoundary>
  )
}

/** Unlocking a report by friends' help, or by another method. */
export function InviteScreen({ params }: ScreenProps<'reportUnlockInvite'>) {
  if (params.orderId) return <LoadedInvite orderId={params.orderId} />
  return <Empty art='report' text={copy.missingOrder} action={goRecords} />
}
