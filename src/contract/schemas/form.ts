/** The form config (product 2.2) as a schema; `form/types.ts` is the same shape for code. */
import { type Static, type TSchema, Type } from 'typebox'
import type { FieldRole, FieldType, FormConfig, Option } from '../form/types'
import { aiModeText, gameStatusText } from '../labels'
import { Bool, Int, Mode, obj, oneOf, opt, Str } from './common'

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

const Key = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z][A-Za-z0-9_]*$' })
const Range = Type.Unsafe<[number, number]>(Type.Array(Int, { minItems: 2, maxItems: 2 }))

const option = {
  v: Type.String({ minLength: 1 }),
  t: Type.String({ minLength: 1 }),
  group: opt(Str),
  k: opt(Str),
  stop: opt(Str),
}
/** At most four levels: written out, so that serializers and the API page need no recursion. */
const level = <T extends TSchema>(child: T) => obj({ ...option, children: opt(Type.Array(child)) })
export const OptionSchema = level(level(level(obj(option))))
export const OptionTree = Type.Unsafe<Option[]>(Type.Array(OptionSchema))

const Rules = obj({
  min: opt(Type.Number()),
  max: opt(Type.Number()),
  scale: opt(Type.Integer({ minimum: 0, maximum: 6 })),
  maxLen: opt(Type.Integer({ minimum: 1 })),
  pattern: opt(Str),
  maxItems: opt(Type.Integer({ minimum: 1 })),
})

const FieldSchema = obj({
  key: Key,
  label: Type.String({ minLength: 1 }),
  alias: opt(Type.Array(Str)),
  group: Str,
  type: Type.Enum(fieldTypes, { type: 'string' }),
  role: Type.Enum(fieldRoles, { type: 'string' }),
  required: Type.Union([Bool, Mode]),
  rules: Rules,
  unit: opt(Str),
  placeholder: opt(Str),
  help: opt(Str),
  helpImage: opt(Str),
  options: opt(Type.Array(OptionSchema)),
  dict: opt(Str),
  grades: opt(Type.Array(Str)),
  roster: opt(obj({ dup: Range, sig: Bool, refine: Range, words: opt(obj({ dup: Str, sig: Str, refine: Str })) })),
  visibleWhen: opt(obj({ field: Str, in: Type.Array(Str) })),
  autoFill: opt(Bool),
  sort: Type.Number(),
})

export const FormConfigSchema = obj({
  gameId: Key,
  name: Type.String({ minLength: 1 }),
  schemaVersion: Type.Integer({ minimum: 1 }),
  status: oneOf(gameStatusText),
  aiMode: oneOf(aiModeText),
  modes: Type.Array(Mode),
  estSeconds: Type.Number({ minimum: 0 }),
  readList: Type.Array(Str),
  groups: Type.Array(obj({ key: Str, title: Str })),
  fields: Type.Array(FieldSchema),
  dicts: Type.Record(Str, Type.Array(OptionSchema)),
  crossChecks: opt(Type.Array(obj({ parts: Type.Array(Str), whole: Str, msg: Str }))),
})

/** Both directions, so that neither shape can gain or lose a field alone. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? (keyof A extends keyof B ? true : false) : false) : false
type FieldOf<C> = C extends { fields: (infer F)[] } ? F : never
type Config = Static<typeof FormConfigSchema>
true satisfies Same<Config, FormConfig> & Same<FormConfig, Config>
true satisfies Same<FieldOf<Config>, FieldOf<FormConfig>> & Same<FieldOf<FormConfig>, FieldOf<Config>>
