import { View } from '@tarojs/components'
import { useEffect } from 'react'
import type { UnlockHelp } from '@/contract/types'
import { clipboard } from '@/platform/clipboard'
import { share } from '@/platform/share'
import { currentUrl, nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { dispatch } from '@/session/store'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { Result } from '@/ui/Result/Result'
import { SkeletonReport } from '@/ui/Skeleton/SkeletonPages'
import { copy } from './copy'
import { HelperProgress } from './parts/HelperProgress'
import { type HelpOutcome, helpOutcome, useAccept } from './useAccept'
import './Unlock.scss'

const home = { text: copy.home, onClick: () => void nav.home() }
const valueMine = { text: copy.valueMine, onClick: () => void nav.to('evaluationChooseGame') }

/** The primary next action. */
function nextAction(outcome: HelpOutcome | undefined, ownOrderId: string | undefined) {
  if (outcome?.kind === 'own' && ownOrderId)
    return { text: copy.progress, onClick: () => void nav.redirect('reportUnlockInvite', { orderId: ownOrderId }) }
  const url = share.link(currentUrl() ?? '')
  if (outcome?.kind === 'elsewhere' && url) return { text: copy.copyPage, onClick: () => void clipboard.copy(url) }
  return valueMine
}

interface ContentProps {
  record: UnlockHelp
  outcome?: HelpOutcome | undefined
  error?: string | undefined
  busy?: boolean
  onHelp: () => void
}

export function AcceptContent({ record, outcome, error, busy = false, onHelp }: ContentProps) {
  return (
    <>
      <Card className='un-head'>
        {outcome ? (
          <View {...a11y('status')}>
            <Result
              icon={outcome.kind === 'thanks' ? 'check' : 'info'}
              tone={outcome.kind === 'thanks' ? 'ok' : 'blue'}
              title={outcome.text}
              note={outcome.note}
            />
          </View>
        ) : (
          <>
            <View className='un-head__title'>{copy.asks(record.ownerNickMasked)}</View>
            <View className='un-head__note'>{copy.asksFor(record.gameName)}</View>
          </>
        )}
        <HelperProgress record={record} />
      </Card>
      {error ? <Notice tone='warn' text={error} /> : null}
      <Card>
        <View className='un-terms'>{copy.does}</View>
        <View className='un-terms'>{copy.doesNot}</View>
      </Card>
      <Card flush>
        <Cell icon='doc' title={copy.rule} onClick={() => void nav.to('article', { key: 'HELP_RULE' })} />
      </Card>
      <ActionBar
        primary={
          outcome
            ? nextAction(outcome, record.ownOrderId)
            : { text: copy.help, icon: 'unlock', loading: busy, onClick: onHelp }
        }
        secondary={outcome ? home : undefined}
      />
    </>
  )
}

function Accept({ recordId }: { recordId: string }) {
  const { load, after, error, busy, help } = useAccept(recordId)
  useEffect(() => dispatch({ type: 'unlockRecordKept', recordId }), [recordId])
  if (!load.data && load.error && [404, 400].includes(load.error.status ?? 0))
    return <Empty art='box' text={copy.notFound} note={copy.missingNote} action={valueMine} />
  return (
    <LoadBoundary load={load} skeleton={<SkeletonReport />}>
      {(first) => {
        const record = after?.record ?? first
        return (
          <AcceptContent
            record={record}
            outcome={after?.outcome ?? helpOutcome(first)}
            error={error}
            busy={busy}
            onHelp={help}
          />
        )
      }}
    </LoadBoundary>
  )
}

/** A friend's request for help to unlock a report: explanation and outcome. */
export function AcceptScreen({ params }: ScreenProps<'reportUnlockAccept'>) {
  if (params.recordId) return <Accept recordId={params.recordId} />
  return <Empty art='box' text={copy.missingRecord} note={copy.missingNote} action={home} />
}
