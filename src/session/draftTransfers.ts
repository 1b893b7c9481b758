import type { Answer, Answers, Mode } from '@/contract/form/types'
import { uuid } from '@/lib/id'
import { type AnswerOrigin, type Drafts, drafts as ownDrafts, UNKNOWN_SCHEMA_VERSION } from './drafts'

/** Answers moved into drafts from elsewhere; apart from `drafts`, which home loads. */

export interface DraftAnswers {
  gameId: string
  gameName: string
  mode: Mode
  answers: Answers
  from: AnswerOrigin
  taskId?: string
  /** fen: price of the listing the answers were read from */
  askFen?: number
}

/**
 * Puts answers into the draft before its form is opened, e.g. those of a collection; they replace existing ones and
 * are marked with their origin. The form ignores answers to fields it does not have.
 */
export function mergeIntoDraft(
  owner: string | undefined,
  { gameId, gameName, mode, answers, from, taskId, askFen }: DraftAnswers,
  drafts: Drafts = ownDrafts,
  now = Date.now(),
) {
  const before = drafts.load(owner, gameId, mode)
  const base = before ?? {
    schemaVersion: UNKNOWN_SCHEMA_VERSION,
    labels: {},
    filled: {},
    total: 0,
    requestId: uuid(),
  }
  const given = Object.entries(answers).filter((e): e is [string, Answer] => e[1] !== undefined)
  const all: Answers = { ...before?.answers, ...Object.fromEntries(given) }
  const done = Object.keys(all).length
  drafts.save(owner, {
    ...base,
    ...{ gameId, gameName, mode, done, answers: all },
    taskId: taskId ?? before?.taskId,
    listing: askFen === undefined ? before?.listing : { askFen, agreed: false },
    filled: { ...base.filled, ...Object.fromEntries(given.map(([k, answer]) => [k, { from, answer }])) },
    total: Math.max(base.total, done),
    savedAt: now,
  })
}

/** Copies the answers of an AI form to the manual one's draft; answers that only the latter has are kept. */
export function carryToManualDraft(
  owner: string | undefined,
  gameId: string,
  drafts: Drafts = ownDrafts,
  now = Date.now(),
) {
  const draft = drafts.load(owner, gameId, 'AI')
  if (!draft) return
  const own = drafts.load(owner, gameId, 'MANUAL')
  drafts.save(owner, {
    ...draft,
    mode: 'MANUAL',
    answers: { ...own?.answers, ...draft.answers },
    labels: { ...own?.labels, ...draft.labels },
    filled: { ...own?.filled, ...draft.filled },
    taskId: own?.taskId,
    requestId: own?.requestId ?? uuid(),
    savedAt: now,
  })
}
