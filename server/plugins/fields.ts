import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify'
import type { TSchema } from 'typebox'
import { invalid } from '../refusal'

type Params = Record<string, unknown>
interface Issue {
  path: string
  msg: string
}

const names = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** JSON pointer → the path a form uses: `/answers/server` → `answers.server`. */
const pathOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((p) => p.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')

/** What stands after the field's name. */
const sentences: Record<string, (p: Params) => string> = {
  boolean: () => '是不支持的字段',
  minimum: (p) => `不能小于 ${p.limit}`,
  maximum: (p) => `不能大于 ${p.limit}`,
  minLength: (p) => `至少 ${p.limit} 个字符`,
  maxLength: (p) => `最多 ${p.limit} 个字符`,
  minItems: (p) => `至少 ${p.limit} 项`,
  maxItems: (p) => `最多 ${p.limit} 项`,
  maxProperties: (p) => `最多 ${p.limit} 项`,
  uniqueItems: () => '有重复项',
  enum: () => '不在可选范围内',
  const: () => '不在可选范围内',
  type: () => '类型不正确',
}

/** The Chinese name a schema gives a field; anything deeper than the first level goes by its parent's. */
function titleOf(schema: TSchema, path: string): string {
  const { properties } = schema as { properties?: Record<string, { title?: string }> }
  return properties?.[path.split('.')[0] ?? '']?.title ?? path
}

function issuesOf(schema: TSchema, { keyword, instancePath, params }: FastifySchemaValidationError): Issue[] {
  const at = pathOf(instancePath)
  const below = (list: string[], say: (path: string) => string) =>
    list.map((n) => (at ? `${at}.${n}` : n)).map((path) => ({ path, msg: say(path) }))
  if (keyword === 'required') return below(names(params.requiredProperties), (path) => `请填写${titleOf(schema, path)}`)
  if (keyword === 'additionalProperties')
    return below(names(params.additionalProperties), (path) => `${path}是不支持的字段`)
  if (at === '') return [{ path: '', msg: '请求内容应为 JSON 对象' }]
  return [{ path: at, msg: `${titleOf(schema, at)}${sentences[keyword]?.(params) ?? '格式不正确'}` }]
}

/** Schema violations as the list a form shows, one sentence per path. */
function fieldIssues(schema: TSchema, errors: FastifySchemaValidationError[]): Issue[] {
  const byPath = new Map<string, string>()
  for (const { path, msg } of errors.flatMap((e) => issuesOf(schema, e))) if (!byPath.has(path)) byPath.set(path, msg)
  return [...byPath].map(([path, msg]) => ({ path, msg }))
}

/** TypeBox validation whose failure is already the answer: HTTP 400 with `data.fields`. Query texts are converted. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = (route) => {
  const validate = TypeBoxValidatorCompiler(route)
  return (value) => {
    const result = validate(value) as { value?: unknown; error?: FastifySchemaValidationError[] }
    return result.error ? { error: invalid(fieldIssues(route.schema, result.error)) } : { value: result.value }
  }
}
