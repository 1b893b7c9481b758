import { AppError, invalid } from '../../core/app-error'
import type { UserCtx } from '../../core/context'
import { type TextKind, WechatMisconfigured, WechatRejected, WechatUnavailable } from '../../providers/wechat/port'
import { LENGTH_MAX } from './contact-details'

/** Names that impersonate us or advertise services. */
const NAMES = /官方|客服|管理员|系统消息|估价专家|加我?微信|微信号|代练/
/** Words not allowed in published texts. */
const WORDS = /刷单|返利|外挂|赌博|博彩|贷款|裸聊|约炮|毒品|枪支|开发票|傻逼|操你|法轮/

/** Normalises spaces, punctuation, accents, invisible characters and full-width letters, which would otherwise hide a word. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}\p{S}\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')

/** Whether a text has a word of our lists, however it is spelled, or is too long to be read by others. */
export function isForbidden(text: string, kind: TextKind): boolean {
  if (text.length > LENGTH_MAX) return true
  const bare = plain(text)
  return WORDS.test(bare) || (kind === 'PROFILE' && NAMES.test(bare))
}

/** The caller's openid in the mini-program: WeChat only checks texts of users it knows. */
const openidOf = async ({ db, userId, providers: { wechat } }: UserCtx): Promise<string | undefined> =>
  wechat.checksTextsOf === undefined
    ? undefined
    : (
        await db
          .selectFrom('wechat_logins')
          .select('openid')
          .where('user_id', '=', userId)
          .where('app_id', '=', wechat.checksTextsOf)
          .executeTakeFirst()
      )?.openid

async function byWechat(ctx: UserCtx, text: string, kind: TextKind): Promise<boolean> {
  const openid = await openidOf(ctx)
  if (openid === undefined) return true
  try {
    return await ctx.providers.wechat.isTextFine({ openid, text, kind })
  } catch (err) {
    // WeChat only checks users active in the mini-program within two hours; for others our own word lists apply
    if (err instanceof WechatRejected) return true
    if (err instanceof WechatMisconfigured) {
      // a wrong configuration: retrying would not help
      ctx.log.error({ err, alarm: true }, 'WeChat checks no texts for us')
      return true
    }
    if (err instanceof WechatUnavailable)
      throw new AppError('SERVICE_UNAVAILABLE', { msg: '暂时无法审核文字，请稍后再试' })
    throw err
  }
}

/**
 * Checks texts that others may see before they are stored: by our word lists, and by WeChat for its users.
 * @param texts by field name; empty ones pass
 * @throws AppError VALIDATION_FAILED naming the field, SERVICE_UNAVAILABLE
 */
export async function requireModeratedTexts(
  ctx: UserCtx,
  texts: Record<string, string | undefined>,
  kind: TextKind,
): Promise<void> {
  for (const [path, text = ''] of Object.entries(texts)) {
    if (text.trim() === '') continue
    if (isForbidden(text, kind) || !(await byWechat(ctx, text, kind)))
      throw invalid([{ path, msg: '内容包含不允许使用的词语，请修改' }])
  }
}
