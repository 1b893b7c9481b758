/** Adding or changing a game by its form config alone. */
import { Value } from 'typebox/value'
import type { Field, FormConfig, Option } from '@/contract/form/types'
import { FormConfigSchema } from '@/contract/schemas/form'
import type { Db } from '../../../db/database'
import { initialsOf, letterOf } from '../pinyin'

const CHOICES = ['select', 'multi', 'tags', 'tagsGrade', 'roster', 'cascader']

/** Everything wrong with a config, in words; empty for a good one. */
export function faultsOf(value: unknown): string[] {
  const shape = [...Value.Errors(FormConfigSchema, value)].map(
    (error) => `${error.instancePath || '/'} ${error.message}`,
  )
  if (shape.length > 0) return shape.slice(0, 20)
  const config = value as FormConfig
  const keys = config.fields.map((field) => field.key)
  return [
    ...twice(keys).map((key) => `字段 ${key} 出现了两次`),
    ...config.fields.flatMap((field) => fieldFaults(config, field).map((fault) => `字段 ${field.key}：${fault}`)),
    ...(config.crossChecks ?? []).flatMap(({ parts, whole }) =>
      [...parts, whole].filter((key) => !keys.includes(key)).map((key) => `核对规则里的 ${key} 不是字段`),
    ),
    ...(config.fields.some((field) => field.role.startsWith('value'))
      ? []
      : ['没有影响价格的字段（role 为 value*、value 或 value-）']),
  ]
}

function fieldFaults(config: FormConfig, field: Field): string[] {
  const faults: string[] = []
  const { min, max, pattern } = field.rules
  if (!config.groups.some((group) => group.key === field.group)) faults.push(`没有分组 ${field.group}`)
  if (min !== undefined && max !== undefined && min > max) faults.push('min 大于 max')
  if (pattern !== undefined && !compiles(pattern)) faults.push('pattern 不是正则表达式')
  if (field.dict !== undefined && !config.dicts[field.dict]) faults.push(`没有字典 ${field.dict}`)
  const options = field.options ?? (field.dict === undefined ? undefined : config.dicts[field.dict])
  if (CHOICES.includes(field.type)) {
    if (!options?.length) faults.push('没有可选项')
    faults.push(...repeated(options ?? []).map((v) => `选项 ${v} 出现了两次`))
  }
  if (field.type === 'tagsGrade' && !field.grades?.length) faults.push('没有 grades')
  if (field.type === 'roster' && !field.roster) faults.push('没有 roster')
  const depends = field.visibleWhen?.field
  if (depends !== undefined && !config.fields.some((other) => other.key === depends)) faults.push(`没有字段 ${depends}`)
  return faults
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern)
    return true
  } catch {
    return false
  }
}

const twice = (list: readonly string[]): string[] => [...new Set(list.filter((one, i) => list.indexOf(one) !== i))]

/** Values that stand twice on one level. */
function repeated(options: readonly Option[]): string[] {
  return [...twice(options.map((option) => option.v)), ...options.flatMap((option) => repeated(option.children ?? []))]
}

export type Saved = { done: 'added' | 'changed' | 'same'; config: FormConfig }

/**
 * Stores a checked config. A changed one always gets a higher `schemaVersion` than the stored one, so that forms being
 * filled in notice. Name, letter and search words follow the config; icon and place in lists stay.
 * @param now ms
 */
export async function saveGame(db: Db, config: FormConfig, now: number): Promise<Saved> {
  const { gameId } = config
  const stored = await db.selectFrom('games').select(['config']).where('game_id', '=', gameId).executeTakeFirst()
  const old = stored?.config
  if (old && same(old, { ...config, schemaVersion: old.schemaVersion })) return { done: 'same', config: old }
  const next = old ? { ...config, schemaVersion: Math.max(config.schemaVersion, old.schemaVersion + 1) } : config
  const words = { letter: letterOf(next.name), search: initialsOf(next.name), updated_at: now }
  if (old) {
    await db
      .updateTable('games')
      .set({ config: JSON.stringify(next), updated_at: now, ...(old.name !== next.name && words) })
      .where('game_id', '=', gameId)
      .execute()
    return { done: 'changed', config: next }
  }
  const last = await db
    .selectFrom('games')
    .select((e) => e.fn.max('sort').as('sort'))
    .executeTakeFirst()
  const place = { icon: '', hot: 0, sort: Number(last?.sort ?? 0) + 1 }
  await db
    .insertInto('games')
    .values({ game_id: gameId, config: JSON.stringify(next), ...words, ...place })
    .execute()
  return { done: 'added', config: next }
}

/** Equal as JSON whatever the order of the keys: the database does not keep it. */
function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, ordered) === JSON.stringify(b, ordered)
}

function ordered(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
