/** What a form offers and what is answered, of which a form config is made; apart from its schema, which needs them. */

/** One option. `group` is its heading in long lists; `children` are the next cascader level. */
export interface Option {
  v: string
  t: string
  group?: string
  /** search terms: pinyin, initials and nicknames; Chinese nicknames are also recognised in listings */
  k?: string
  /** roster: name of this character's signature weapon; searchable, and recognised in listings */
  sig?: string
  /** excludes an automatic price; the reason, shown to the user */
  stop?: string
  /** advice how to achieve this answer: `解绑邮箱`; defaults to the answer itself */
  how?: string
  children?: Option[]
}

/** One roster row: item id in the dictionary, copies, signature weapon, its refinement. */
export interface RosterRow {
  v: string
  dup: number
  sig?: boolean
  refine?: number
}
/** `tagsGrade` row. */
export interface GradedTag {
  v: string
  g: string
}
/** cascader = path of values; multi and tags = values; image = object keys from the upload. */
export type Answer = string | number | boolean | string[] | GradedTag[] | RosterRow[]
export type Answers = Record<string, Answer | undefined>
