import { StartError } from './start-error'

/** Reads single environment variables; each module parses its own settings with these functions. */
export type Env = Record<string, string | undefined>

/** Reports an invalid variable: its name, the allowed values and its value. @throws StartError */
export const invalidSetting = (name: string, allowed: string, value: string): never => {
  throw new StartError(`设置 ${name} 不正确：应为${allowed}，现在是“${value}”。`)
}

export function text(env: Env, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

export function integer(env: Env, name: string, fallback: number, min: number, max: number): number {
  const value = text(env, name)
  if (value === undefined) return fallback
  const n = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  return n >= min && n <= max ? n : invalidSetting(name, ` ${min} 到 ${max} 的整数`, value)
}

export function oneOf<T extends string>(env: Env, name: string, fallback: T, allowed: readonly T[]): T {
  const value = text(env, name)
  if (value === undefined) return fallback
  return allowed.find((a) => a === value) ?? invalidSetting(name, ` ${allowed.join(' / ')} 之一`, value)
}

/** A switch: 1 or 0. */
export const flag = (env: Env, name: string, fallback: boolean): boolean =>
  oneOf(env, name, fallback ? '1' : '0', ['0', '1']) === '1'

/**
 * The values of variables that are set together, by the names of the keys; undefined if none is set.
 * @throws StartError if only some are
 */
export function together<K extends string>(env: Env, names: Record<K, string>): Record<K, string> | undefined {
  const all: string[] = Object.values(names)
  const missing = all.filter((name) => text(env, name) === undefined)
  if (missing.length === all.length) return undefined
  if (missing.length > 0)
    throw new StartError(`设置 ${missing.join('、')} 缺失：${all.join('、')} 要么全部设置，要么都不设置。`)
  const values: Record<K, string> = { ...names }
  for (const key in names) values[key] = text(env, names[key]) ?? ''
  return values
}

/** Connection URLs may contain a password, so an invalid one is never printed. */
export function url(env: Env, name: string, protocols: readonly string[]): string | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const parsed = URL.canParse(value) ? new URL(value) : undefined
  if (!parsed?.hostname || !protocols.includes(parsed.protocol))
    return invalidSetting(
      name,
      ` ${protocols.map((p) => `${p}//…`).join(' 或 ')} 地址`,
      `${parsed?.protocol ?? '（不是地址）'}`,
    )
  return value
}

/** Address of a service, without trailing slashes. */
export const baseUrl = (env: Env, name: string, fallback: string): string =>
  (url(env, name, ['http:', 'https:']) ?? fallback).replace(/\/+$/, '')
