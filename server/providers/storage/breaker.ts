/**
 * A circuit breaker (Nygard, "Release It!", chapter 5). Own code: the current versions of opossum and cockatiel want
 * Node 22.
 */

import { AppError } from '../../core/app-error'
import { DependencyUnavailable } from '../../core/dependency-error'
import { reasonOf } from '../../core/start-error'

export interface BreakerOptions {
  /** name of the service, for error and log */
  name: string
  /** consecutive failures after which it opens */
  failures: number
  /** ms it stays open before one trial request is let through */
  openFor: number
  /** maximum of concurrent requests; more are refused, so that a slow service does not accumulate them */
  most: number
  /** monotonic clock in ms, independent of the machine's clock */
  now?: () => number
}

export interface Breaker {
  /**
   * Runs the request unless the circuit is open.
   * @throws DependencyUnavailable if the circuit is open or the request fails; an AppError of the request counts as an
   * answer and is
   * passed on
   */
  run<T>(question: () => Promise<T>): Promise<T>
}

export function createBreaker({
  name,
  failures,
  openFor,
  most,
  now = () => performance.now(),
}: BreakerOptions): Breaker {
  let failed = 0
  let opensAt = 0
  let underWay = 0

  return {
    async run(question) {
      if (underWay >= most) throw new DependencyUnavailable(`${name}: too many questions at once`)
      const open = failed >= failures
      if (open && now() < opensAt)
        throw new DependencyUnavailable(`${name}: not asked, it failed ${failed} times in a row`)
      // half open: this request is the trial, all others are refused until it has ended
      if (open) opensAt = now() + openFor
      underWay += 1
      try {
        const answer = await question()
        failed = 0
        return answer
      } catch (cause) {
        if (cause instanceof AppError) {
          failed = 0
          throw cause
        }
        failed += 1
        if (failed >= failures) opensAt = now() + openFor
        throw new DependencyUnavailable(`${name}: no answer (${reasonOf(cause)})`, { cause })
      } finally {
        underWay -= 1
      }
    },
  }
}
