/**
 * A game is defined by a form config: fields, groups, rules and the role of each field in the price.
 * Form, validation on both sides, valuation engine and import tools all use this type.
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

/** `value*` main driver · `value` secondary · `value-` minor, direction not promised · `factor` multiplies · `risk` shown apart · `weak` negligible · `lookup` id for a read · `evidence` pictures · `none` remark. */
export type FieldRole = 'value*' | 'value' | 'value-' | 'factor' | 'risk' | 'weak' | 'lookup' | 'evidence' | 'none'

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

export interface FieldRules {
  min?: number
  max?: number
  /** decimal places of a `decimal` */
  scale?: number
  maxLen?: number
  pattern?: string
  /** maximum of tags, roster rows or images */
  maxItems?: number
}

export interface Field {
  key: string
  label: string
  /** names used in listings besides the label: recognised by `link/evaluate/verify` */
  alias?: string[]
  group: string
  type: FieldType
  role: FieldRole
  /** the owner can change the answer for free before selling; other answers are never advised to be changed */
  changeable?: boolean
  /** `"AI"`: only for that mode */
  required: boolean | 'AI' | 'MANUAL'
  /** required for a collection, whatever `required` says of submitted answers */
  requiredForCollection?: boolean
  rules: FieldRules
  unit?: string
  placeholder?: string
  help?: string
  /** URL of a picture that shows where to find the value */
  helpImage?: string
  /** inline options of `select` and `multi`; types with a dictionary refer to it by name */
  options?: Option[]
  dict?: string
  /** `tagsGrade`: possible grades of a tag, best first */
  grades?: string[]
  /**
   * `roster`: ranges of copies (`dup`) and refinement, whether a signature weapon is asked, and the game's terms for
   * them
   */
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

/** A game's terms for the parts of a roster row. */
export interface RosterWords {
  /** `命座`, `星魂` */
  dup: string
  /** `专武`, `专属光锥` */
  sig: string
  /** `精炼`, `叠影` */
  refine: string
  /** suffix of a number of copies (`1命`) and prefix of a refinement (`精1`); default to the terms above */
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
  /** ms: when the game opened; earlier sales are refused */
  launchedAt?: number
  /** expected seconds of an AI valuation */
  estSeconds: number
  /** data that is collected, shown before consent */
  readList: string[]
  groups: FieldGroup[]
  fields: Field[]
  /** dictionaries by name: flat lists for tags and rosters (may have headings), trees for cascaders */
  dicts: Record<string, Option[]>
  crossChecks?: CrossCheck[]
}

/**
 * Σ parts ≤ times · whole, in units (1 M = 100 万), lists counted as rows and copies, or only the items under one heading of their
 * dictionary. A violation is a warning in the form and a doubt in the report. `times` is 1 if absent.
 */
export interface CrossCheck {
  parts: string[]
  heading?: string
  times?: number
  whole: string
  msg: string
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
