import type { Answer } from '@/contract/form/types'
import type { Order } from '@/contract/types'
import { uuid } from '@/lib/id'
import { dialog } from '@/platform/dialog'
import { drafts } from '@/session/drafts'
import { session } from '@/session/store'
import { nav } from './nav'

/** Earlier answers about an account, from a report or an order. */
export type PreviousAnswers = Pick<Order, 'gameId' | 'gameName' | 'mode' | 'inputs'>

const question = {
  title: '替换草稿',
  content: '您有一份还没有提交的草稿，重新估价会用原来的资料替换它。',
  confirmText: '替换',
  cancelText: '保留草稿',
}

/** Opens the form prefilled with earlier answers, at a question. Asks before overwriting a draft. */
export async function openFormWithAnswers(
  facts: PreviousAnswers,
  how: 'to' | 'redirect' = 'to',
  field?: string,
): Promise<void> {
  const { gameId, gameName, mode, inputs } = facts
  const owner = session().userId
  const given = Object.entries(inputs?.answers ?? {}).filter((e): e is [string, Answer] => e[1] !== undefined)
  const answers = Object.fromEntries(given)
  const draft = drafts.load(owner, gameId, mode)
  const other = draft !== undefined && JSON.stringify(draft.answers) !== JSON.stringify(answers)
  if (inputs && given.length > 0 && (!other || (await dialog.confirm(question))))
    drafts.save(owner, {
      ...{ gameId, gameName, mode, answers, schemaVersion: inputs.schemaVersion },
      labels: {},
      filled: Object.fromEntries(given.map(([key, answer]) => [key, { from: 'LAST' as const, answer }])),
      requestId: uuid(),
      done: given.length,
      total: given.length,
      savedAt: Date.now(),
    })
  void nav[how]('evaluationFillInInfo', { gameId, mode, ...(field && { field }) })
}
