import { AppError, invalid } from '../../core/app-error'
import type { Db } from '../../db/database'
import { isPortrait, removeUnusedPortraits, storePortrait } from '../content/portraits'
import type { ContentRepository } from '../content/repository'
import { yearsIssue } from './accounts'

const INTRO_MAX = 120

export interface Profile {
  /** file name in the content folder, or an uploaded picture (`storePortrait`); empty: none */
  avatar: string
  /** a picture to store and use instead of `avatar` */
  upload?: { file: Buffer; now: number } | undefined
  years: number
  intro: string
}

/**
 * Sets what users see of an appraiser besides name and figures.
 * @throws AppError NOT_FOUND: no such appraiser · VALIDATION_FAILED listing every issue · UPLOAD_TYPE,
 * PAYLOAD_TOO_LARGE for the uploaded picture
 */
export async function setProfile(
  tx: Db,
  content: ContentRepository,
  staffId: string,
  { avatar, upload, years, intro }: Profile,
): Promise<void> {
  const issues = [
    avatar !== '' && !content.picture(avatar) && !(await isPortrait(tx, avatar)) && '没有这张图片',
    yearsIssue(years),
    Array.from(intro).length > INTRO_MAX && `简介最多 ${INTRO_MAX} 字`,
  ].filter((issue) => typeof issue === 'string')
  if (issues.length > 0) throw invalid(issues.map((msg) => ({ path: '', msg })))
  const row = await tx
    .updateTable('staff')
    .set({ avatar: upload ? await storePortrait(tx, upload.file, upload.now) : avatar, years, intro })
    .where('staff_id', '=', staffId)
    .where('role', 'in', ['APPRAISER', 'ADMIN'])
    .returning('staff_id')
    .executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND', { msg: '没有这位估价师' })
  await removeUnusedPortraits(tx)
}
