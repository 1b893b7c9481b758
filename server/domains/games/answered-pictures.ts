import type { Answers, FormConfig } from '@/contract/form/types'
import { acceptedAnswers } from '@/contract/form/validate'
import type { UserCtx } from '../../core/context'
import type { Db } from '../../db/database'
import { ownPictures, requirePictures } from '../../providers/storage/port'

/**
 * Checks the pictures among answers; those that the form refuses are left to its own checks.
 * @throws AppError VALIDATION_FAILED for a picture that is not the user's, or none; REQUEST_TOO_BUSY_PLEASE_WAIT
 */
export async function requireAnsweredPictures(by: UserCtx, config: FormConfig, answers: Answers): Promise<void> {
  const accepted = acceptedAnswers(config, answers, 'MANUAL')
  for (const { key, type } of config.fields) {
    const pictures = type === 'image' ? accepted[key] : undefined
    if (Array.isArray(pictures)) await requirePictures(by, pictures as string[], `answers.${key}`)
  }
}

/**
 * Keys of the pictures of an order and its answers that belong to its user, or to an account merged into theirs, without
 * duplicates.
 */
export function submittedPictures(
  db: Db,
  { fields }: Pick<FormConfig, 'fields'>,
  { images, answers, user_id: userId }: { images: readonly string[]; answers: Answers; user_id: string },
): Promise<string[]> {
  const inForm = fields.filter(({ type }) => type === 'image').flatMap(({ key }) => (answers[key] ?? []) as string[])
  return ownPictures({ db, userId }, [...new Set([...images, ...inForm])])
}
