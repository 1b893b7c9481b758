/** Validates a game's form config, with messages for the operator. */
import { Value } from 'typebox/value'
import type { Field, FormConfig, Option } from '@/contract/form/types'
import { FormConfigSchema } from '@/contract/schemas/form'
import { isJsonbSafe } from '../../../db/jsonb-text'
import { schemaMessages } from '../../shared/schema-messages'
import { isSafePattern } from './pattern'

const CHOICES = ['select', 'multi', 'tags', 'tagsGrade', 'roster', 'cascader']
const MAX_SHOWN = 20
/** total of all dictionaries: the form is one response of the API and the model has a weight per option */
const MAX_OPTIONS = 5_000

type Params = Record<string, unknown>
const sentences: Record<string, (params: Params) => string> = {
  required: (p) => `缺少 ${[p.requiredProperties].flat().join('、')}`,
  additionalProperties: (p) => `有不认识的 ${[p.additionalProperties].flat().join('、').slice(0, 80)}`,
  boolean: () => '是不认识的内容',
  type: (p) => `类型应为 ${[p.type].flat().join(' 或 ')}`,
  enum: (p) => `应为 ${[p.allowedValues].flat().join('、').slice(0, 120)} 之一`,
  ...schemaMessages,
  pattern: () => '含有不允许的字符或保留名称',
}

/** Up to 20 issues; empty for a valid config. */
export function findConfigIssues(value: unknown): string[] {
  const structural = schemaIssues(value)
  if (structural.length > 0) return structural
  if (!isJsonbSafe(value)) return ['含有无法存储的字符']
  const config = value as FormConfig
  const keys = config.fields.map((field) => field.key)
  return [
    ...duplicates(config.groups.map((group) => group.key)).map((key) => `分组 ${key} 出现了两次`),
    ...duplicates(keys).map((key) => `字段 ${key} 出现了两次`),
    ...config.fields.flatMap((field) => fieldIssues(config, field).map((issue) => `字段 ${field.key}：${issue}`)),
    ...checkIssues(config),
    ...sizeIssues(config),
    ...(config.fields.some((field) => field.role.startsWith('value'))
      ? []
      : ['没有影响价格的字段（role 为 value*、value 或 value-）']),
  ].slice(0, MAX_SHOWN)
}

/** One issue per place; a union (`anyOf`) is reported by its branches. */
function schemaIssues(value: unknown): string[] {
  const issues = new Map<string, string>()
  for (const { keyword, instancePath, params } of Value.Errors(FormConfigSchema, value)) {
    const place = (instancePath || '/').slice(0, 80)
    const say = sentences[keyword]
    if (!issues.has(place)) issues.set(place, `${place} ${say ? say(params as Params) : '格式不正确'}`)
    if (issues.size >= MAX_SHOWN) break
  }
  return [...issues.values()]
}

function fieldIssues(config: FormConfig, field: Field): string[] {
  const issues: string[] = []
  const { min, max, pattern } = field.rules
  if (!config.groups.some((group) => group.key === field.group)) issues.push(`没有分组 ${field.group}`)
  if (min !== undefined && max !== undefined && min > max) issues.push('min 大于 max')
  if (pattern !== undefined && !isSafePattern(pattern))
    issues.push('pattern 只能由字符、字符集和次数组成（如 ^\\d{6,12}$），不能有分组和回溯')
  if (field.dict !== undefined && !dictOf(config, field.dict)) issues.push(`没有字典 ${field.dict}`)
  const options = field.options ?? (field.dict === undefined ? undefined : dictOf(config, field.dict))
  if (CHOICES.includes(field.type)) {
    if (!options?.length) issues.push('没有可选项')
    issues.push(...duplicateOptions(options ?? [], 'v').map((v) => `选项 ${v} 出现了两次`))
    issues.push(...duplicateOptions(options ?? [], 't').map((t) => `两个选项都叫“${t}”，用户分不清`))
  }
  if (field.type === 'tagsGrade' && !field.grades?.length) issues.push('没有 grades')
  if (duplicates(field.grades ?? []).length > 0) issues.push('grades 有重复')
  if (field.type === 'roster') issues.push(...rosterIssues(field))
  return [...issues, ...conditionIssues(config, field)]
}

/** Own properties only: `toString` is not a dictionary. */
const dictOf = (config: FormConfig, name: string): Option[] | undefined =>
  Object.hasOwn(config.dicts, name) ? config.dicts[name] : undefined

function rosterIssues({ roster }: Field): string[] {
  if (!roster) return ['没有 roster']
  return [roster.dup, roster.refine].some(([low, high]) => low > high) ? ['roster 的范围前大后小'] : []
}

/** Conditions must name another field and must not be circular. */
function conditionIssues(config: FormConfig, field: Field): string[] {
  const seen = [field.key]
  for (let current: Field | undefined = field; current?.visibleWhen; ) {
    const key: string = current.visibleWhen.field
    if (seen.includes(key)) return [`显示条件绕成了圈：${[...seen, key].join(' → ')}`]
    seen.push(key)
    current = config.fields.find((other) => other.key === key)
    if (!current) return [`没有字段 ${key}`]
  }
  return []
}

function checkIssues({ fields, crossChecks = [] }: FormConfig): string[] {
  const keys = fields.map((field) => field.key)
  return crossChecks.flatMap(({ parts, whole }) => [
    ...[...parts, whole].filter((key) => !keys.includes(key)).map((key) => `核对规则里的 ${key} 不是字段`),
    // a field compared with itself, or counted twice, would cause warnings for correct answers
    ...duplicates(parts).map((key) => `核对规则里的 ${key} 出现了两次`),
    ...(parts.includes(whole) ? [`核对规则里的 ${whole} 既是部分又是整体`] : []),
  ])
}

const countOf = (options: readonly Option[]): number =>
  options.reduce((sum, option) => sum + 1 + countOf(option.children ?? []), 0)

function sizeIssues({ fields, dicts }: FormConfig): string[] {
  const lists = [...Object.values(dicts), ...fields.map((field) => field.options ?? [])]
  const n = lists.reduce((sum, options) => sum + countOf(options), 0)
  return n > MAX_OPTIONS ? [`选项一共 ${n} 个，最多 ${MAX_OPTIONS} 个`] : []
}

function duplicates(list: readonly string[]): string[] {
  const seen = new Set<string>()
  return [...new Set(list.filter((entry) => seen.has(entry) || !seen.add(entry)))]
}

/** Duplicates on one level. */
function duplicateOptions(options: readonly Option[], part: 'v' | 't'): string[] {
  return [
    ...duplicates(options.map((option) => option[part])),
    ...options.flatMap((option) => duplicateOptions(option.children ?? [], part)),
  ]
}
