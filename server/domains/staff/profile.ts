import { AppError, invalid } from '../../core/app-error'
import type { Db } from '../../db/database'
import type { ContentRepository } from '../content/repository'
import { yearsIssue } from './accounts'

const INTRO_MAX = 120

export interface Profile {
  /** file name in the content folder; empty: none */
  avatar: string
  years: number
  intro: string
}

/**
 * Sets what users see of an appraiser besides name and figures.
 * @throws AppError NOT_FOUND: no such appraiser · VALIDATION_FAILED listing every issue
 */
export async function setProfile(
  tx: Db,
  content: ContentRepository,
  staffId: string,
  { avatar, years, intro }: Profile,
): Promise<void> {
  const issues = [
    avatar !== '' && !content.picture(avatar) && '没有这张图片',
    yearsIssue(years),
    Array.from(intro).length > INTRO_MAX && `简介最多 ${INTRO_MAX} 字`,
  ].filter((issue) => typeof issue === 'string')
  if (issues.length > 0) throw invalid(issues.map((msg) => ({ path: '', msg })))
  const row = await tx
    .updateTable('staff')
    .set({ avatar, years, intro })
    .where('staff_id', '=', staffId)
    .where('role', 'in', ['APPRAISER', 'ADMIN'])
    .returning('staff_id')
    .executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND', { msg: '没有这位估价师' })
}
