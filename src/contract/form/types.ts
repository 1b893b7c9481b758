/**
 * A game is a form config (product.md 2.2): fields, groups, rules and the role of each field in the price.
 * The form, its validation on both sides, the valuation engine and the import tools all read this one shape.
 */
export type FieldType =
  | 'select'
  | 'multi'
  | 'tags'
  | 'tagsGrade'
  | 'roster'
  | 'cascader'
  | 'int'
  | 'decimal'
  | 'text'
  | 'textarea'
  | 'bool'
  | 'image'

/** `value*` main driver · `value` secondary · `value-` weak driver · `factor` multiplies · `risk` shown apart · `weak` deliberately near zero · `lookup` id for a read · `evidence` pictures · `none` remark. */
export type FieldRole = 'value*' | 'value' | 'value-' | 'factor' | 'risk' | 'weak' | 'lookup' | 'evidence' | 'none'

/** One choice. `group` names a heading in long lists; `children` makes a cascader level. */
export interface Option {
  v: string
  t: string
  group?: string
  /** pinyin, initials and nicknames for the search; nicknames in Chinese are also read in listings */
  k?: string
  /** roster: what the signature weapon of this one is called; searched, and read in listings */
  sig?: string
  /** an account with this answer gets no automatic price; the reason, for the user */
  stop?: string
  /** how an owner gets to this answer, as advice: `解绑邮箱`; the answer itself is named where left out */
  how?: string
  children?: Option[]
}

export interface FieldRules {
  min?: number
  max?: number
  /** digits after the point of a `decimal` */
  scale?: number
  maxLen?: number
  pattern?: string
  /** most tags, roster rows or images */
  maxItems?: number
}

export interface Field {
  key: string
  label: string
  /** what sellers call it in listings, beside the label: read by `link/evaluate/verify` */
  alias?: string[]
  group: string
  type: FieldType
  role: FieldRole
  /** `"AI"`: only for that mode */
  required: boolean | 'AI' | 'MANUAL'
  rules: FieldRules
  unit?: string
  placeholder?: string
  help?: string
  /** address of a picture that shows where to look */
  helpImage?: string
  /** `select` and `multi` carry their options, everything with a dictionary names it */
  options?: Option[]
  dict?: string
  /** `tagsGrade`: the qualities a tag can have, best first */
  grades?: string[]
  /** `roster`: ranges of copies (`dup`) and refinement, whether a signature weapon is asked, and the game's words for them */
  roster?: {
    dup: [number, number]
    sig: boolean
    refine: [number, number]
    words?: RosterWords
  }
  visibleWhen?: { field: string; in: string[] }
  autoFill?: boolean
  sort: number
}

/** A game's words for what a roster row is asked. */
export interface RosterWords {
  /** `命座`, `星魂` */
  dup: string
  /** `专武`, `专属光锥` */
  sig: string
  /** `精炼`, `叠影` */
  refine: string
  /** what stands after a number of copies (`1命`) and before a refinement (`精1`); the words above where left out */
  dupUnit?: string
  refineUnit?: string
}

export interface FieldGroup {
  key: string
  title: string
}

export type AiMode = 'PUBLIC_ID' | 'QR_AUTH' | 'MANUAL_FORM'
export type Mode = 'AI' | 'MANUAL'

export interface FormConfig {
  gameId: string
  name: string
  schemaVersion: number
  status: 'ONLINE' | 'MAINTAIN' | 'OFFLINE'
  aiMode: AiMode
  modes: Mode[]
  /** seconds an AI valuation is expected to take */
  estSeconds: number
  /** what an authorised read reads, shown before consent */
  readList: string[]
  groups: FieldGroup[]
  fields: Field[]
  /** dictionaries by name: tags and roster names (flat, may be grouped), cascader levels (tree) */
  dicts: Record<string, Option[]>
  /** Σ parts ≤ whole in their units (1 M = 100 万), lists count their rows and copies; a warning and never a block */
  crossChecks?: { parts: string[]; whole: string; msg: string }[]
}

/** One roster row: item id of the dictionary, copies, signature weapon, its refinement. */
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
