/** Negations, longest first. A question (有没有) is neither a yes nor a no. */
export const NEGATIONS: readonly string[] = ['有没有', '有无', '没有', '不含', '不带', '没', '无', '缺', '差', '非']

interface FieldSynonyms {
  label?: readonly string[]
  options?: Readonly<Record<string, readonly string[]>>
}

/** 未封号, 没有处罚: all variants of stating that something never happened. */
const never = (...deeds: string[]): string[] =>
  ['未', '没', '无', '没有'].flatMap((not) => deeds.map((deed) => not + deed))

const BINDING: FieldSynonyms = { options: { unbound: ['未绑', '没绑', '无绑'], bound: ['已绑', '绑了'] } }

/** Sellers' slang for form fields, by field key; not shown in any form. */
export const SYNONYMS: Readonly<Record<string, FieldSynonyms>> = {
  server: { options: { android_qq: ['安q'], android_wx: ['安微', '安v'], ios_qq: ['苹q'], ios_wx: ['苹微', '苹v'] } },
  realName: { options: { re_auth_allowed: ['可二实'], re_auth_denied: ['不可二实', '不能二实'] } },
  yellow: { label: ['黄', '金'] },
  // it is matched only where weapons are counted, see `signatureAt`
  weapon5: { label: ['专武'] },
  lc5: { label: ['专光'] },
  gender: { options: { f: ['女号', '女主'], m: ['男号', '男主'] } },
  tap: BINDING,
  psn: BINDING,
  email: { options: { unbound: ['邮箱未绑', '邮箱没绑', '没绑邮箱'] } },
  banStatus: { options: { none: never('封号', '封禁', '被封', '封过', '处罚', '受处罚') } },
}
