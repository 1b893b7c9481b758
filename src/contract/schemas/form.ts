/** The form config as a schema, from which `form/types.ts` derives its types. */
import { type TSchema, Type } from 'typebox'
import type { Option } from '../form/values'
import { among, Bool, Mode, obj, opt, Str } from './common'

export const fieldTypes = [
  'select',
  'multi',
  'tags',
  'tagsGrade',
  'roster',
  'cascader',
  'int',
  'decimal',
  'text',
  'textarea',
  'bool',
  'image',
] as const
/** `value*` main driver · `value` secondary · `value-` minor, direction not promised · `factor` multiplies · `risk` shown apart · `weak` negligible · `lookup` id for a read · `evidence` pictures · `none` remark. */
export const fieldRoles = ['value*', 'value', 'value-', 'factor', 'risk', 'weak', 'lookup', 'evidence', 'none'] as const

/**
 * Configs can be imported from files, so everything is bounded: length of texts, size of lists, and magnitude of
 * numbers, so that arithmetic cannot overflow. Keys must not be names of object properties (`constructor`).
 */
const words = (maxLength: number, minLength = 0) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
const RESERVED =
  '(?!(?:constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|toString|valueOf)$)'
const key = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: `^${RESERVED}[A-Za-z][A-Za-z0-9_]*$` })
const Value = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: `^${RESERVED}(?!__proto__$)[^\\u0000-\\u001f\\u007f]+$`,
})
const Bounded = Type.Number({ minimum: -1e12, maximum: 1e12 })
const list = <T extends TSchema>(item: T, maxItems: number, minItems = 0) => Type.Array(item, { minItems, maxItems })
const Step = Type.Integer({ minimum: 0, maximum: 100 })
const Range = Type.Unsafe<[number, number]>(Type.Array(Step, { minItems: 2, maxItems: 2 }))

const option = {
  v: Value,
  t: words(60, 1),
  group: opt(words(40)),
  k: opt(words(200)),
  sig: opt(words(60, 1)),
  stop: opt(words(200)),
  how: opt(words(40)),
}
/** At most four levels, written out so that serializers and API page need no recursion. */
const level = <T extends TSchema>(child: T) => obj({ ...option, children: opt(list(child, 500)) })
export const OptionSchema = Type.Unsafe<Option>(level(level(level(obj(option)))))
export const OptionTree = Type.Unsafe<Option[]>(Type.Array(OptionSchema))

const Rules = obj({
  min: opt(Bounded),
  max: opt(Bounded),
  /** decimal places of a `decimal` */
  scale: opt(Type.Integer({ minimum: 0, maximum: 6 })),
  maxLen: opt(Type.Integer({ minimum: 1, maximum: 2000 })),
  pattern: opt(words(60)),
  /** maximum of tags, roster rows or images */
  maxItems: opt(Type.Integer({ minimum: 1, maximum: 200 })),
})

/** `dup`: `命座`, `星魂`; `sig`: `专武`, `专属光锥`; `refine`: `精炼`, `叠影` */
const copies = {
  dup: words(10, 1),
  sig: words(10, 1),
  refine: words(10, 1),
  /** suffix of a number of copies (`1命`) and prefix of a refinement (`精1`); default to the terms above */
  dupUnit: opt(words(4)),
  refineUnit: opt(words(4)),
}
export const FieldSchema = obj({
  key: key(64),
  label: words(40, 1),
  /** names used in listings besides the label: recognised by `link/evaluate/verify` */
  alias: opt(list(words(20, 1), 20)),
  group: Str,
  type: Type.Enum(fieldTypes, { type: 'string' }),
  role: Type.Enum(fieldRoles, { type: 'string' }),
  /** the owner can change the answer for free before selling; other answers are never advised to be changed */
  changeable: opt(Bool),
  /** `"AI"`: only for that mode */
  required: Type.Union([Bool, Mode]),
  /** required for a collection, whatever `required` says of submitted answers */
  requiredForCollection: opt(Bool),
  rules: Rules,
  unit: opt(words(20)),
  placeholder: opt(words(100)),
  help: opt(words(300)),
  /** URL of a picture that shows where to find the value */
  helpImage: opt(Type.String({ maxLength: 300, pattern: '^(?:https://[^\\s]+|/[^\\s]*)?$' })),
  /** inline options of `select` and `multi`; types with a dictionary refer to it by name */
  options: opt(list(OptionSchema, 3000)),
  dict: opt(Str),
  /** `tagsGrade`: possible grades of a tag, best first */
  grades: opt(list(words(20, 1), 20)),
  /** `roster`: ranges of copies and refinement, whether a signature weapon is asked, and the game's terms for them */
  roster: opt(obj({ dup: Range, sig: Bool, refine: Range, words: opt(obj(copies)) })),
  visibleWhen: opt(obj({ field: Str, in: list(Str, 100, 1) })),
  autoFill: opt(Bool),
  sort: Bounded,
})

/**
 * Σ parts ≤ times · whole, in units (1 M = 100 万), lists counted as rows and copies, or only the items under one heading of their
 * dictionary. A violation is a warning in the form and a doubt in the report. `times` is 1 if absent.
 */
export const CrossCheckSchema = obj({
  ...{ parts: list(Str, 20, 1), heading: opt(Str), times: opt(Type.Number({ minimum: 1 })) },
  ...{ whole: Str, msg: words(200, 1) },
})

export const FormConfigSchema = obj({
  gameId: key(32),
  name: words(40, 1),
  schemaVersion: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  status: among(['ONLINE', 'MAINTAIN', 'OFFLINE']),
  aiMode: among(['PUBLIC_ID', 'QR_AUTH', 'MANUAL_FORM']),
  modes: Type.Array(Mode, { minItems: 1, maxItems: 2, uniqueItems: true }),
  /** ms: when the game opened; earlier sales are refused */
  launchedAt: opt(Type.Integer({ minimum: 0, maximum: 4_102_444_800_000 })),
  /** expected seconds of an AI valuation */
  estSeconds: Type.Number({ minimum: 0, maximum: 86_400 }),
  /** data that is collected, shown before consent */
  readList: list(words(40, 1), 30),
  groups: list(obj({ key: words(64, 1), title: words(40, 1) }), 30, 1),
  fields: list(FieldSchema, 100, 1),
  /** dictionaries by name: flat lists for tags and rosters (may have headings), trees for cascaders */
  dicts: Type.Record(Str, list(OptionSchema, 3000)),
  crossChecks: opt(list(CrossCheckSchema, 50)),
})
