/** What says that something is not there, longest first. Who asks whether (有没有) says neither. */
export const NOT: readonly string[] = ['有没有', '有无', '没有', '不含', '不带', '没', '无', '缺', '差', '非']

interface Said {
  label?: readonly string[]
  options?: Readonly<Record<string, readonly string[]>>
}

/** 未封号, 没有处罚: that something never happened, in all the ways sellers say so. */
const never = (...deeds: string[]): string[] =>
  ['未', '没', '无', '没有'].flatMap((not) => deeds.map((deed) => not + deed))

const BINDING: Said = { options: { unbound: ['未绑', '没绑', '无绑'], bound: ['已绑', '绑了'] } }

/** How listings say what the form asks, by the key of the field: sellers' slang, which no form has to show. */
export const SAID: Readonly<Record<string, Said>> = {
  yellow: { label: ['黄', '金'] },
  // met only where they are counted, see `signatureAt`
  weapon5: { label: ['专武'] },
  lc5: { label: ['专光'] },
  gender: { options: { f: ['女号', '女主'], m: ['男号', '男主'] } },
  tap: BINDING,
  psn: BINDING,
  email: { options: { unbound: ['邮箱未绑', '邮箱没绑', '没绑邮箱'] } },
  banStatus: { options: { none: never('封号', '封禁', '被封', '封过', '处罚', '受处罚') } },
}
