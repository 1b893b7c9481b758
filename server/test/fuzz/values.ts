import type { Random } from './random'

/** The subset of JSON Schema used by the contract. */
interface Schema {
  type?: string
  anyOf?: readonly Schema[]
  const?: unknown
  enum?: readonly unknown[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  patternProperties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
}

/** Existing values by field name. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

const strings: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00y',
  '\uffff',
  '\u202e反过来',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'é́́́́́́',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e309',
  '0x10',
  '１２３',
  '../../etc/passwd',
  '%00',
  '%ff%fe',
  "' or '1'='1",
  '"; drop table users; --',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '$' + '{7*7}',
  '__proto__',
  'constructor',
  'toString',
  'a,b,,c',
  'http://127.0.0.1/',
  'javascript:alert(1)',
  '\r\nset-cookie: a=b',
  '9'.repeat(400),
  '长'.repeat(3000),
]

/** Hostile values; some are larger than any field. */
export function hostile(random: Random): unknown {
  const kind = random.below(20)
  if (kind < 9) return random.pick(strings)
  if (kind < 13)
    return random.pick([0, -0, -1, 0.1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e21, 1e308, -1e308, 5e-324])
  if (kind < 15) return random.pick([null, true, false])
  if (kind < 16)
    return random.pick<unknown>([[], {}, [[]], [null], { length: 1 }, { toString: 1 }, { __proto__: null }])
  if (kind < 17) return nested(random.pick([5, 50, 400]))
  if (kind < 18) return Array.from({ length: random.pick([1, 11, 200, 2000]) }, () => random.pick(strings.slice(0, 30)))
  if (kind < 19)
    return Object.fromEntries(Array.from({ length: random.pick([1, 101, 500]) }, (_, i) => [`k${i}`, random.below(9)]))
  return 'x'.repeat(random.pick([100, 5000, 60_000]))
}

function text(random: Random, { minLength = 0, maxLength = 20 }: Schema): string {
  const length = Math.min(maxLength, minLength + random.below(12))
  const letters = 'abcXYZ019_-好号'
  return Array.from({ length }, () => random.pick(Array.from(letters))).join('')
}

/** A value that usually matches the schema. `wild`: the share of hostile values in it. */
export function fuzzValue(schema: Schema, random: Random, known: KnownValues, wild: number, name = ''): unknown {
  if (random.chance(wild)) return hostile(random)
  const there = known[name]
  if (there && there.length > 0 && random.chance(0.85)) return random.pick(there)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  if (schema.anyOf) return fuzzValue(random.pick(schema.anyOf), random, known, wild, name)
  switch (schema.type) {
    case 'string':
      return text(random, schema)
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 1000 } = schema
      return random.chance(0.2)
        ? random.pick([minimum, maximum])
        : minimum + random.below(Math.max(1, maximum - minimum))
    }
    case 'boolean':
      return random.chance(0.5)
    case 'array':
      return Array.from({ length: random.below(Math.min(4, (schema.maxItems ?? 3) + 1)) }, () =>
        fuzzValue(schema.items ?? {}, random, known, wild, name),
      )
    case 'object':
      return record(schema, random, known, wild)
    default:
      return hostile(random)
  }
}

function record(schema: Schema, random: Random, known: KnownValues, wild: number): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  const put = (key: string, value: unknown) =>
    Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true })
  for (const [key, field] of Object.entries(schema.properties ?? {}))
    if (schema.required?.includes(key) ? !random.chance(wild) : random.chance(0.5))
      put(key, fuzzValue(field, random, known, wild, key))
  const [any] = Object.values(schema.patternProperties ?? {})
  if (any) for (let i = random.below(4); i > 0; i -= 1) put(text(random, {}), fuzzValue(any, random, known, wild))
  // a property no schema has
  if (random.chance(wild)) put(random.pick(strings), hostile(random))
  return made
}
