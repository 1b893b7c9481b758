import { isEmpty, visibleFields } from '@/contract/form/answers'
import type { Answers, FormConfig } from '@/contract/form/types'
import { isRequired, validateField } from '@/contract/form/validate'
import type { TaskFail, TaskStatus } from '@/contract/types'
import type { Deps } from '../../../core/context'
import type { Db } from '../../../db/database'
import { toJsonbText } from '../../../db/jsonb-text'
import type { CollectorEvent } from '../../../providers/collector/port'
import { lockedTask, type TaskRow } from './task'
import { AWAITING_RESULT, TASK_SEQUENCE, transitionTask } from './task-status'

/** Keeps only answers that the game's form defines and accepts; anything else from a collector is ignored. */
function acceptedAnswers(config: FormConfig, answers: Answers): Answers {
  const accepted = config.fields.filter(
    (f) => f.autoFill && !isEmpty(answers[f.key]) && !validateField(config, f, answers[f.key], 'AI'),
  )
  return Object.fromEntries(accepted.map(({ key }) => [key, answers[key]]))
}

/** Whether a required field that only the collection can give is missing, which means that the profile is hidden. */
const isHidden = (config: FormConfig, features: Answers) =>
  visibleFields(config, features).some((f) => f.autoFill && isRequired(f, 'AI') && isEmpty(features[f.key]))

/** Moves through all statuses up to a later one, since events may get lost and the log has no gaps. */
async function advance(
  tx: Db,
  task: TaskRow,
  to: TaskStatus,
  now: number,
  patch: Parameters<typeof transitionTask>[1]['patch'] = {},
) {
  const sequence = TASK_SEQUENCE.filter((s) => task.qr !== null || (s !== 'WAIT_SCAN' && s !== 'SCANNED'))
  let from = task.status
  for (const next of sequence.slice(sequence.indexOf(from) + 1, sequence.indexOf(to) + 1)) {
    await transitionTask(tx, { taskId: task.id, from, to: next, now, ...(next === to && { patch }) })
    from = next
  }
}

const fail = (tx: Db, task: TaskRow, code: TaskFail, now: number) =>
  transitionTask(tx, { taskId: task.id, from: task.status, to: 'FAILED', now, patch: { fail_code: code } })

async function apply(tx: Db, task: TaskRow, config: FormConfig, event: CollectorEvent, now: number): Promise<boolean> {
  if (event.kind === 'FAILED') return fail(tx, task, event.code, now)
  if (event.kind === 'SCANNED') {
    if (task.qr !== null) await advance(tx, task, 'SCANNED', now)
    return true
  }
  if (event.kind === 'COLLECTING') {
    await advance(tx, task, 'COLLECTING', now)
    const progress = Math.max(task.progress, Math.min(100, Math.round(event.progress)))
    await tx.updateTable('collection_tasks').set({ progress }).where('id', '=', task.id).execute()
    return true
  }
  const features = acceptedAnswers(config, event.answers)
  if (isHidden(config, features)) return fail(tx, task, 'PRIVACY_HIDDEN', now)
  await advance(tx, task, 'VALUING', now, {
    raw: toJsonbText(event.raw),
    features: toJsonbText(features),
    read_at: now,
    progress: 100,
  })
  return true
}

/**
 * Stores what one event tells. Events of a task that has ended or is being valued are ignored, so late, duplicate and
 * out-of-order events are harmless.
 * @returns whether the event was applied
 */
export async function applyEvent(deps: Deps, taskId: string, event: CollectorEvent): Promise<boolean> {
  const now = deps.clock.now()
  const stored = await deps.db
    .selectFrom('collection_tasks')
    .select('game_id')
    .where('id', '=', taskId)
    .executeTakeFirst()
  if (!stored) return false
  const { config } = await deps.repositories.games.find(stored.game_id)
  return deps.db.transaction().execute(async (tx) => {
    const task = await lockedTask(tx, taskId).executeTakeFirst()
    if (!task || !AWAITING_RESULT.includes(task.status) || task.expire_at <= now) return false
    return apply(tx, task, config, event, now)
  })
}
