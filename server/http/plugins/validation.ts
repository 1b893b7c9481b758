import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import { invalid } from '../../core/app-error'
import { schemaMessages } from '../../domains/shared/schema-messages'

type Params = Record<string, unknown>
interface Issue {
  path: string
  msg: string
}
/** Schema keywords of the contract's requests that nest other schemas or limit sizes. */
interface SchemaNode {
  type?: string
  anyOf?: TSchema[]
  items?: TSchema
  maxItems?: number
  properties?: Record<string, TSchema>
  patternProperties?: Record<string, TSchema>
  required?: string[]
  additionalProperties?: boolean
  maxProperties?: number
}
interface Violation {
  path: readonly string[]
  keyword: string
  params: Params
}

/** Violations reported per request; listing more costs time and helps nobody. */
const MAX_NAMED = 20

/** Message after the field's name, by schema keyword. */
const sentences: Record<string, (p: Params) => string> = {
  ...schemaMessages,
  maxProperties: (p) => `最多 ${p.limit} 项`,
  enum: () => '不在可选范围内',
  const: () => '不在可选范围内',
  type: () => '类型不正确',
}

/** The Chinese title of a field; deeper levels use the title of their first-level parent. */
function titleOf(schema: TSchema, path: string): string {
  const { properties } = schema as { properties?: Record<string, { title?: string }> }
  return properties?.[path.split('.')[0] ?? '']?.title ?? path
}

function sentenceOf(schema: TSchema, { path: place, keyword, params }: Violation): Issue {
  const path = place.join('.')
  if (keyword === 'required') return { path, msg: `请填写${titleOf(schema, path)}` }
  if (keyword === 'additionalProperties') return { path, msg: `${path}是不支持的字段` }
  if (path === '') return { path, msg: '请求内容应为 JSON 对象' }
  return { path, msg: `${titleOf(schema, path)}${sentences[keyword]?.(params) ?? '格式不正确'}` }
}

const checks = new WeakMap<TSchema, (value: unknown) => boolean>()
/** The compiled check of a schema or subschema: stops at the first violation, so it is cheap. */
function checkOf(schema: TSchema): (value: unknown) => boolean {
  const cached = checks.get(schema)
  if (cached) return cached
  const validator = Compile(schema)
  const check = (value: unknown) => validator.Check(value)
  checks.set(schema, check)
  return check
}

const nodeOf = (schema: TSchema) => schema as SchemaNode
const branchesOf = (schema: TSchema): TSchema[] => nodeOf(schema).anyOf?.flatMap(branchesOf) ?? [schema]
const isRecord = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The branch of a union that a value was meant for. */
function branchFor(schema: TSchema, value: unknown): TSchema {
  const type = Array.isArray(value) ? 'array' : typeof value
  return branchesOf(schema).find((branch) => nodeOf(branch).type === type) ?? schema
}

/**
 * Violations of a value. Size violations are checked first and end the search, only the first invalid entry of a list is
 * reported, and valid parts are skipped by the compiled check: TypeBox's own listing takes seconds for a body of a few
 * thousand entries, which would be a denial-of-service vector.
 */
function* findViolations(schema: TSchema, value: unknown, path: readonly string[] = []): Generator<Violation> {
  const meant = branchFor(schema, value)
  const { maxItems, maxProperties, items } = nodeOf(meant)
  if (Array.isArray(value) && maxItems !== undefined && value.length > maxItems)
    return yield { path, keyword: 'maxItems', params: { limit: maxItems } }
  if (isRecord(value) && maxProperties !== undefined && Object.keys(value).length > maxProperties)
    return yield { path, keyword: 'maxProperties', params: { limit: maxProperties } }
  if (checkOf(schema)(value)) return
  if (Array.isArray(value) && items) {
    const fits = checkOf(items)
    const index = value.findIndex((entry) => !fits(entry))
    if (index >= 0) return yield* findViolations(items, value[index], [...path, String(index)])
  }
  if (isRecord(value) && nodeOf(meant).type === 'object') return yield* violationsInside(meant, value, path)
  for (const { keyword, params } of Value.Errors(meant, value)) yield { path, keyword, params: params as Params }
}

/** Violations of an object: missing properties, additional properties, and violations of its values. */
function* violationsInside(schema: TSchema, value: Params, path: readonly string[]): Generator<Violation> {
  const { properties = {}, patternProperties = {}, required = [], additionalProperties } = nodeOf(schema)
  const [others] = Object.values(patternProperties)
  const isDeclared = (key: string) => Object.hasOwn(properties, key)
  const named = function* (keys: string[], keyword: string): Generator<Violation> {
    for (const key of keys) yield { path: [...path, key], keyword, params: {} }
  }
  const given = Object.keys(value)
  yield* named(
    required.filter((key) => !Object.hasOwn(value, key)),
    'required',
  )
  if (additionalProperties === false && !others)
    yield* named(
      given.filter((key) => !isDeclared(key)),
      'additionalProperties',
    )
  // issues come in the order of the schema, which is the order of the form
  for (const key of others ? given : Object.keys(properties).filter((name) => Object.hasOwn(value, name))) {
    const inner = isDeclared(key) ? properties[key] : others
    if (inner) yield* findViolations(inner, value[key], [...path, key])
  }
}

/** Schema violations as shown beside a form, one message per path. */
function fieldIssues(schema: TSchema, value: unknown): Issue[] {
  const byPath = new Map<string, Issue>()
  for (const violation of findViolations(schema, value)) {
    const issue = sentenceOf(schema, violation)
    if (!byPath.has(issue.path)) byPath.set(issue.path, issue)
    if (byPath.size === MAX_NAMED) break
  }
  return [...byPath.values()]
}

/** TypeBox validation that fails with the final response: HTTP 400 with `data.fields`. Query strings are converted. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const fits = checkOf(schema)
  return (given) => {
    const value = httpPart === 'body' ? given : Value.Convert(schema, given)
    return fits(value) ? { value } : { error: invalid(fieldIssues(schema, value)) }
  }
}
