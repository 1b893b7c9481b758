/**
 * Looks at pictures apart from the requests that name them. A request waits a moment; a check that takes longer goes on
 * without it, and the next request finds what it has found.
 */
import { AppError } from '../../app-error'

/** ms a request waits for a check */
const WAIT = 2000
/** ms a finding is kept for the request that asks again; not longer, since a picture in a bucket can be replaced */
const FINDING_TTL = 60_000

interface Options {
  wait?: number
  keep?: number
}

/**
 * @param look fails when the storage does not answer; the next request then looks anew
 * @returns finds out about one picture. It throws what `look` throws, and AppError SERVICE_UNAVAILABLE when that takes long
 */
export function createChecks<T>(look: (key: string) => Promise<T>, { wait = WAIT, keep = FINDING_TTL }: Options = {}) {
  const known = new Map<string, Promise<T>>()

  function start(key: string): Promise<T> {
    const found = look(key)
    const forget = () => {
      if (known.get(key) === found) known.delete(key)
    }
    known.set(key, found)
    found.then(() => setTimeout(forget, keep).unref(), forget)
    return found
  }

  return async (key: string): Promise<T> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const refusal = new AppError('SERVICE_UNAVAILABLE', { msg: '图片还在检查，请稍后再提交' })
      timer = setTimeout(() => reject(refusal), wait)
    })
    const found = await Promise.race([known.get(key) ?? start(key), late]).finally(() => clearTimeout(timer))
    known.delete(key)
    return found
  }
}
