/**
 * Checks pictures independently of the requests that name them. A request waits for a short time; a check that takes
 * longer continues in the background, and the next request uses its result.
 */
import { AppError } from '../../app-error'

/** ms a request waits for a check */
const WAIT = 2000
/** ms a result is cached for a repeated request; short, because a picture in a bucket can be replaced */
const FINDING_TTL = 60_000

interface Options {
  wait?: number
  keep?: number
}

/**
 * @param look fails if the storage does not answer; the next request then checks again
 * @returns a function that checks one picture. It throws what `look` throws, and AppError SERVICE_UNAVAILABLE on
 * timeout
 */
export function createChecks<T>(look: (key: string) => Promise<T>, { wait = WAIT, keep = FINDING_TTL }: Options = {}) {
  const running = new Map<string, Promise<T>>()

  function start(key: string): Promise<T> {
    const found = look(key)
    const expire = () => {
      if (running.get(key) === found) running.delete(key)
    }
    running.set(key, found)
    found.then(() => setTimeout(expire, keep).unref(), expire)
    return found
  }

  return async (key: string): Promise<T> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const refusal = new AppError('SERVICE_UNAVAILABLE', { msg: '图片还在检查，请稍后再提交' })
      timer = setTimeout(() => reject(refusal), wait)
    })
    const found = await Promise.race([running.get(key) ?? start(key), late]).finally(() => clearTimeout(timer))
    running.delete(key)
    return found
  }
}
