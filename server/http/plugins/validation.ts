import { Ajv, type ErrorObject } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { invalid } from '../../core/app-error'
import { schemaMessages } from '../../domains/shared/schema-messages'

/** Violations named per request; listing more helps nobody. */
const MAX_NAMED = 20

/** Message after the field's name, by schema keyword. */
const sentences: typeof schemaMessages = {
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

function issueOf(schema: TSchema, { instancePath, keyword, params }: ErrorObject) {
  const property = params.missingProperty ?? params.additionalProperty ?? ''
  const path = `${instancePath}/${property}`.split('/').filter(Boolean).join('.')
  if (keyword === 'required') return { path, msg: `请填写${titleOf(schema, path)}` }
  if (keyword === 'additionalProperties') return { path, msg: `${path}是不支持的字段` }
  if (path === '') return { path, msg: '请求内容应为 JSON 对象' }
  return { path, msg: `${titleOf(schema, path)}${sentences[keyword]?.(params) ?? '格式不正确'}` }
}

/** Schema violations as shown beside a form, one message per path. */
function fieldIssues(schema: TSchema, errors: readonly ErrorObject[]) {
  // a union names the violations of all its branches: that a value is of another type than one of them says the least
  const isType = ({ keyword }: ErrorObject) => keyword === 'type' || keyword === 'anyOf'
  const byPath = new Map<string, { path: string; msg: string }>()
  for (const error of [...errors.filter((e) => !isType(e)), ...errors.filter(isType)]) {
    const issue = issueOf(schema, error)
    if (!byPath.has(issue.path)) byPath.set(issue.path, issue)
    if (byPath.size === MAX_NAMED) break
  }
  return [...byPath.values()]
}

const options = { allErrors: true, strict: false } as const
const ofBodies = new Ajv(options)
/** A query consists of texts, which are converted. */
const ofQueries = new Ajv({ ...options, coerceTypes: true })

/**
 * The framework's own validator, which lists the violations of the largest body within milliseconds. It fails with the
 * final response: HTTP 400 with `data.fields`.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = (httpPart === 'body' ? ofBodies : ofQueries).compile(schema)
  return (value) => (check(value) ? { value } : { error: invalid(fieldIssues(schema, check.errors ?? [])) })
}
