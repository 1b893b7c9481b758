/** A mobile number, also with spaces or dashes. Groups: its parts of 3, 4 and 4 digits. */
export const MOBILE = /(?<!\d)(?:\+?86[ -]?)?(1[3-9]\d)[ -]?(\d{4})[ -]?(\d{4})(?!\d)/g
/** A mobile number with a separator after every digit, or two of them. */
const SPACED_MOBILE = /(?<!\d)1(?:[ .·_-]{1,2}\d){10}(?!\d)|(?<!\d)1[3-9]\d[ .·_-]{2}\d{4}[ .·_-]{2}\d{4}(?!\d)/

const MESSENGER = '(?:(?:微 ?|薇|威|(?<![a-z])v)信|(?<![a-z0-9@.])(?:q ?q|wx(?:id)?|vx|weixin|wechat)|扣扣|企鹅)'
/** What games and our own app call by a messenger's name: servers, logins, binding, the support of a platform. */
const NO_CONTACT =
  '(?! ?(?:[大小]?区|服|登|双?绑|实名|支付|客服|安全|官方|公众号|小程序|会员|等级|音乐|钱包|红包|账号|渠道|平台))'
/** 加我微信, 留个 QQ: no other words between. */
const ADD = new RegExp(
  `(?:(?<![增叠附更外])[加➕]|联系|(?<!保)留|私聊|私信)(?<whose>(?:一?[下个]|我们?|本人|你|您|的|私人|工作|[ :,“])*)${MESSENGER}${NO_CONTACT}`,
  'g',
)
/** An id after the name, but neither an amount nor the name of a system. */
const MESSENGER_ID = new RegExp(
  `${MESSENGER}(?:号码?|账号|是|为|[ :=_“(、-])*(?:\\d{5,}(?![\\d,]|\\.\\d| ?[元万块钻金点个%])|(?!android|iphone|harmony|windows)[a-z][\\w-]{5,})`,
)
/** Words of a clause before 加微信 that make it a warning, or what a buyer may ask for. */
const WARNING = /不[要能会可得应许必用]|别|勿|禁止|拒绝|谨防|买家|对方|有人|骗子/

/** Full-width letters and digits as plain ones; invisible characters would hide a word. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, (c) => (c === '\n' ? c : ''))
const clausesOf = (given: string) => given.split(/[,，。;；!！?？\n]/)

/** More than any text that users read may have; NFKC makes up to 18 characters of one. */
export const LENGTH_MAX = 2_000
const TOO_LONG = '太长，请缩短'

/** The plain text; undefined when it is too long, as it is or plain. */
function readable(text: string): string | undefined {
  if (text.length > LENGTH_MAX) return undefined
  const given = plain(text)
  return given.length > LENGTH_MAX ? undefined : given
}

function isInvitation(clause: string): boolean {
  const warning = WARNING.exec(clause)
  const warned = warning ? warning.index + warning[0].length : Number.POSITIVE_INFINITY
  return [...clause.matchAll(ADD)].some(({ index, groups }) => /我|本人/.test(groups?.whose ?? '') || index < warned)
}

/**
 * Why a text of the staff must not reach a user: it has a mobile number, an id of a messenger or an invitation to one.
 * Names of servers and logins (微信区, QQ 登录) and amounts pass. Or it is too long to be one of the texts that users read.
 */
export function contactIssue(text: string): string | undefined {
  const given = readable(text)
  if (given === undefined) return TOO_LONG
  const isContact = given.search(MOBILE) >= 0 || SPACED_MOBILE.test(given) || MESSENGER_ID.test(given)
  return isContact || clausesOf(given).some(isInvitation) ? '不能留联系方式（微信、QQ、电话）' : undefined
}

const SECRET = '(?:密码|口令|验证码|保证金|押金)'
/** What is asked about a secret without asking for it. */
const ABOUT = '是否|能否|可否|能不能|有没有|收得到|收不到|设置|保护|找回'
const GIVE = `(?:(?<![会台统信到])发|提供|告诉|告知|补充|填|给(?:我|估价师|客服)|报(?:给|一下)|输入|(?:交|付|转|缴)(?=[^a-z]{0,10}(?:保证金|押金)))`
// both patterns begin at the start: `.*` tried at every character would take quadratic time
const ASKS = new RegExp(`^(?<before>.*)${GIVE}(?:(?!${ABOUT}).){0,12}${SECRET}(?! ?(?:${ABOUT}))`, 's')
const SENDS = new RegExp(
  `^(?<before>.*)${SECRET}.{0,8}(?:(?<![会台统信到])发(?:给|来|过来|我|一下)|(?:告诉|提供|给|报给?)(?:我|估价师|客服|这里|一下)|补充|填[写上到])`,
  's',
)
/** A warning, or what somebody else asks for or did not do. */
const NO_REQUEST = /不[要用必需会能得可应许向索收]|别|勿|无需|没有?$|不$|禁止|任何人|骗|冒充|平台|寄售/

/** Why a text of the staff must not reach a user: it asks for a password, a code or a deposit. Warnings pass. */
export function secretIssue(text: string): string | undefined {
  const given = readable(text)
  if (given === undefined) return TOO_LONG
  const isRequest = clausesOf(given).some((clause) =>
    [ASKS, SENDS].some((pattern) => {
      const { before } = pattern.exec(clause)?.groups ?? {}
      return before !== undefined && !NO_REQUEST.test(before) && !/骗/.test(clause)
    }),
  )
  return isRequest ? '不能向用户索要密码、验证码或保证金' : undefined
}
