/** Which answers the owner's screenshots show: they are given by the owner, so they prove nothing, but slips are seen. */
import { isDeepStrictEqual } from 'node:util'
import { isEmpty } from '@/contract/form/answers'
import type { Answer, Answers, FormConfig } from '@/contract/form/types'
import type { ReadAnswers } from '@/contract/types'
import type { Db } from '../../db/database'

/** What was read from the user's screenshots of a game, the newest first. */
export async function readingsOf(
  db: Db,
  { userId, gameId }: { userId: string; gameId: string },
): Promise<ReadAnswers[]> {
  const rows = await db
    .selectFrom('screenshot_tasks')
    .select('result')
    .where('user_id', '=', userId)
    .where('game_id', '=', gameId)
    .where('status', '=', 'DONE')
    .orderBy('created_at', 'desc')
    .execute()
  return rows.flatMap(({ result }) => result ?? [])
}

/** A screenshot may show more of a list than was answered, and less of an item. */
const isRowShown = (own: unknown, read: unknown): boolean =>
  typeof own === 'object' && typeof read === 'object'
    ? Object.entries(read ?? {}).every(([key, value]) => isDeepStrictEqual(value, { ...own }[key]))
    : own === read

/** Whether an answer is what was read. */
export function isShown(config: FormConfig, key: string, own: Answer | undefined, read: Answer | undefined): boolean {
  const isPath = config.fields.find((field) => field.key === key)?.type === 'cascader'
  if (isEmpty(own) || isEmpty(read)) return false
  if (isPath || !Array.isArray(own) || !Array.isArray(read)) return isDeepStrictEqual(own, read)
  return own.every((row: unknown) => read.some((shown: unknown) => isRowShown(row, shown)))
}

/** Number of answers that the screenshots show; none of screenshots that show another account rather than this one. */
export function countShown(config: FormConfig, answers: Answers, readings: readonly ReadAnswers[]): number {
  const counts = readings.map((reading) => {
    const compared = Object.keys(reading.answers).filter((key) => !isEmpty(answers[key]))
    const shown = compared.filter((key) => isShown(config, key, answers[key], reading.answers[key])).length
    return 2 * shown > compared.length ? shown : 0
  })
  return Math.max(0, ...counts)
}
