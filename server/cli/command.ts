/** The beginning and the end of every command: arguments, exit codes, and one sentence for an error. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { AppError } from '../core/app-error'
import { reasonOf, StartError } from '../core/start-error'
import { isConnectionLost } from '../db/errors'

/** The error as one sentence for the operator. */
function sentenceOf(e: unknown): string {
  if (e instanceof StartError) return e.message
  if (e instanceof AppError) return `${e.detail}。`
  const { code } = e as { code?: unknown }
  if (isConnectionLost(e)) return `数据库连接中断：${reasonOf(e)}。已写入的不会丢失，恢复后重新执行即可。`
  if (code === 'ENOSPC' || code === '53100') return '磁盘已满。已写入的不会丢失，腾出空间后重新执行即可。'
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return `数据库拒绝了操作（${code}）：${reasonOf(e)}。`
  return `没有完成：${reasonOf(e)}。`
}

/** An option with a value, for `argumentsOf`. */
export const text = (fallback: string) => ({ type: 'string', default: fallback }) as const
/** An option without a value, for `argumentsOf`. */
export const flag = { type: 'boolean', default: false } as const

/**
 * Options and other words of the command.
 * @param words how many other words it takes
 * @throws StartError with the usage, for an unknown option or another number of words
 */
export function argumentsOf<const O extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: O,
  words: { min: number; max: number } = { min: 0, max: 0 },
) {
  try {
    const given = parseArgs({ options, allowPositionals: true })
    const n = given.positionals.length
    if (n >= words.min && n <= words.max) return given
  } catch {
    // the usage says what is known
  }
  throw new StartError(usage)
}

/** A line for the operator; standard output is for results. */
export const print = (line: string): void => console.error(line)

/** Runs a command. Any error ends it with one sentence and exit code 1; `LOG_LEVEL=debug` adds the stack trace. */
export async function runMain(main: () => void | Promise<void>): Promise<void> {
  try {
    await main()
  } catch (e) {
    print(`✗ ${sentenceOf(e)}`)
    if (['debug', 'trace'].includes(process.env.LOG_LEVEL ?? '')) console.error(e)
    process.exitCode = 1
  }
}
