/** The form config as a schema; `form/types.ts` has the same structure as TypeScript types. */
import { type Static, type TSchema, Type } from 'typebox'
import type { FieldRole, FieldType, FormConfig, Option } from '../form/types'
import { aiModeText, gameStatusText } from '../labels'
import { Bool, Mode, obj, oneOf, opt, Str } from './common'

const fieldTypes = [
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
] as const satisfies readonly FieldType[]
const fieldRoles = [
  'value*',
  'value',
  'value-',
  'factor',
  'risk',
  'weak',
  'lookup',
  'evidence',
  'none',
] as const satisfies readonly FieldRole[]

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
export const OptionSchema = level(level(level(obj(option))))
export const OptionTree = Type.Unsafe<Option[]>(Type.Array(OptionSchema))

const Rules = obj({
  min: opt(Bounded),
  max: opt(Bounded),
  scale: opt(Type.Integer({ minimum: 0, maximum: 6 })),
  maxLen: opt(Type.Integer({ minimum: 1, maximum: 2000 })),
  pattern: opt(words(60)),
  maxItems: opt(Type.Integer({ minimum: 1, maximum: 200 })),
})

const copies = {
  dup: words(10, 1),
  sig: words(10, 1),
  refine: words(10, 1),
  dupUnit: opt(words(4)),
  refineUnit: opt(words(4)),
}
const FieldSchema = obj({
  key: key(64),
  label: words(40, 1),
  alias: opt(list(words(20, 1), 20)),
  group: Str,
  type: Type.Enum(fieldTypes, { type: 'string' }),
  role: Type.Enum(fieldRoles, { type: 'string' }),
  changeable: opt(Bool),
  required: Type.Union([Bool, Mode]),
  requiredForCollection: opt(Bool),
  rules: Rules,
  unit: opt(words(20)),
  placeholder: opt(words(100)),
  help: opt(words(300)),
  helpImage: opt(Type.String({ maxLength: 300, pattern: '^(?:https://[^\\s]+|/[^\\s]*)?$' })),
  options: opt(list(OptionSchema, 3000)),
  dict: opt(Str),
  grades: opt(list(words(20, 1), 20)),
  roster: opt(obj({ dup: Range, sig: Bool, refine: Range, words: opt(obj(copies)) })),
  visibleWhen: opt(obj({ field: Str, in: list(Str, 100, 1) })),
  autoFill: opt(Bool),
  sort: Bounded,
})

export const FormConfigSchema = obj({
  gameId: key(32),
  name: words(40, 1),
  schemaVersion: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  status: oneOf(gameStatusText),
  aiMode: oneOf(aiModeText),
  modes: Type.Array(Mode, { minItems: 1, maxItems: 2, uniqueItems: true }),
  launchedAt: opt(Type.Integer({ minimum: 0, maximum: 4_102_444_800_000 })),
  estSeconds: Type.Number({ minimum: 0, maximum: 86_400 }),
  readList: list(words(40, 1), 30),
  groups: list(obj({ key: words(64, 1), title: words(40, 1) }), 30, 1),
  fields: list(FieldSchema, 100, 1),
  dicts: Type.Record(Str, list(OptionSchema, 3000)),
  crossChecks: opt(
    list(
      obj({
        ...{ parts: list(Str, 20, 1), heading: opt(Str), times: opt(Type.Number({ minimum: 1 })) },
        ...{ whole: Str, msg: words(200, 1) },
      }),
      50,
    ),
  ),
})

/** Checked in both directions, so that a field cannot be added to or removed from only one of the types. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? (keyof A extends keyof B ? true : false) : false) : false
type FieldOf<C> = C extends { fields: (infer F)[] } ? F : never
type Config = Static<typeof FormConfigSchema>
true satisfies Same<Config, FormConfig> & Same<FormConfig, Config>
true satisfies Same<FieldOf<Config>, FieldOf<FormConfig>> & Same<FieldOf<FormConfig>, FieldOf<Config>>
