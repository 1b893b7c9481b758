import { useEffect } from 'react'
import { api } from '@/api'
import type { AutoTask } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { drafts } from '@/session/drafts'
import { mergeIntoDraft } from '@/session/draftTransfers'
import { session } from '@/session/store'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Empty } from '@/ui/Empty/Empty'
import { copy, failureTexts } from './copy'
import { type NextStep, nextSteps } from './model'

interface Props {
  task: AutoTask
  onActed: (task: AutoTask) => void
}

const goOn = ({ gameId, orderId }: AutoTask): Record<NextStep, { text: string; onClick: () => void }> => ({
  again: {
    text: copy.again,
    onClick: () => void nav.redirect('evaluationFillInInfoRpaWebview', { gameId, ...(orderId && { orderId }) }),
  },
  fill: { text: copy.fillSelf, onClick: () => void nav.redirect('evaluationFillInInfo', { gameId, mode: 'AI' }) },
  human: { text: copy.human, onClick: () => void nav.redirect('evaluationFillInInfo', { gameId, mode: 'MANUAL' }) },
})

/** The collection failed: reason and next step. */
function ReadFailure({ task }: Pick<Props, 'task'>) {
  const { status, failCode, failMsg } = task
  const [first, second] = failCode ? nextSteps[failCode] : (['again', 'fill'] as const)
  const note = failCode ? failureTexts[failCode] : status === 'EXPIRED' ? copy.expiredNote : copy.canceledNote
  const go = goOn(status === 'CANCELED' ? { ...task, orderId: undefined } : task)
  return (
    <>
      <Empty art='report' text={failMsg ?? copy.endTitle[status as 'EXPIRED']} note={`${note}${copy.free}`} />
      <ActionBar primary={go[first]} secondary={go[second]} />
    </>
  )
}

/** The collection succeeded: continue to the report or the remaining fields, or withdraw the consent. */
function CollectionSuccess({ task, onActed }: Props) {
  const { gameId, gameName = gameId, taskId, orderId, answers = {}, forgotten } = task
  useEffect(() => {
    // the order already contains the draft's answers
    if (orderId) drafts.remove(session().userId, gameId, 'AI')
  }, [orderId, gameId])
  function check() {
    mergeIntoDraft(session().userId, { gameId, gameName, mode: 'AI', answers, from: 'READ', taskId })
    void nav.redirect('evaluationFillInInfo', { gameId, mode: 'AI' })
  }
  async function forget() {
    const sure = await dialog.confirm({ title: copy.forget, content: copy.forgetAsk, confirmText: copy.forgetYes })
    if (!sure) return
    await api.evaluation
      .taskCreate({ gameId, loginType: 'QR', taskId, action: 'FORGET' })
      .then(onActed, () => undefined)
  }
  if (forgotten)
    return (
      <>
        <Empty art='report' text={copy.forgotten} />
        <ActionBar primary={goOn({ ...task, orderId: undefined }).again} />
      </>
    )
  const primary = orderId
    ? { text: copy.view, onClick: () => void nav.redirect('evaluationFillInInfoSuccess', { orderId }) }
    : { text: copy.check, onClick: check }
  return (
    <>
      <Empty
        art='report'
        text={copy.endTitle.SUCCESS}
        note={orderId ? copy.reported : copy.readCount(Object.keys(answers).length)}
      />
      <Card flush>
        <Cell icon='shield' title={copy.forget} onClick={() => void forget()} />
      </Card>
      <ActionBar primary={primary} />
    </>
  )
}

export function CollectionResult(props: Props) {
  const { task } = props
  if (task.status === 'SUCCESS' || task.forgotten) return <CollectionSuccess {...props} />
  return <ReadFailure task={task} />
}
