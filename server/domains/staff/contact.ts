import { AppError, invalid } from '../../core/app-error'
import type { Db } from '../../db/database'
import type { ContentRepository } from '../content/repository'

const MAX_URL = 300

export interface Contact {
  /** file names in the content folder; empty: none */
  avatar: string
  wecomQr: string
  /** WeCom's customer-service link (客服链接) and the company's id: both or neither */
  kfUrl: string
  corpId: string
}

/**
 * Sets a consultant's contact details outside the app.
 * @throws AppError NOT_FOUND: no such consultant · VALIDATION_FAILED listing every issue
 */
export async function setContact(tx: Db, content: ContentRepository, staffId: string, given: Contact): Promise<void> {
  const { avatar, wecomQr } = given
  const [kfUrl, corpId] = [given.kfUrl.trim(), given.corpId.trim()]
  const exists = (picture: string) => picture === '' || content.picture(picture) !== undefined
  const issues = [
    !(exists(avatar) && exists(wecomQr)) && '没有这张图片',
    kfUrl !== '' &&
      !(kfUrl.startsWith('https://work.weixin.qq.com/') && kfUrl.length <= MAX_URL) &&
      '客服链接应以 https://work.weixin.qq.com/ 开头',
    corpId !== '' && !/^[\w-]{6,64}$/.test(corpId) && '企业 ID 为 6-64 位字母、数字',
    (kfUrl === '') !== (corpId === '') && '客服链接和企业 ID 要么都填，要么都不填',
  ].filter((issue) => typeof issue === 'string')
  if (issues.length > 0) throw invalid(issues.map((msg) => ({ path: '', msg })))
  const row = await tx
    .updateTable('staff')
    .set({ avatar, wecom_qr: wecomQr, kf_url: kfUrl, corp_id: corpId })
    .where('staff_id', '=', staffId)
    .where('role', '=', 'CONSULTANT')
    .returning('staff_id')
    .executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND', { msg: '没有这位顾问' })
}
