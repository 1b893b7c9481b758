/**
 * A circuit breaker (Nygard, "Release It!", chapter 5). Own code: the current versions of opossum and cockatiel want
 * Node 22.
 */

import { AppError } from '../../app-error'
import { Outage } from '../../outage'
import { reasonOf } from '../../start-error'

export interface BreakerOptions {
  /** names what is asked, for the error and the log */
  name: string
  /** failures one after the other that open it */
  failures: number
  /** ms it stays open before one question is let through */
  openFor: number
  /** questions under way at once; more are refused, so that a slow service does not collect requests */
  most: number
  /** ms that never go back, whatever becomes of the machine's clock */
  now?: () => number
}

export interface Breaker {
  /**
   * Asks, unless the service has just failed several times.
   * @throws Outage when it is not asked, or when it does not answer; a AppError of the question's is an answer
   */
  ask<T>(question: () => Promise<T>): Promise<T>
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
    async ask(question) {
      if (underWay >= most) throw new Outage(`${name}: too many questions at once`)
      const open = failed >= failures
      if (open && now() < opensAt) throw new Outage(`${name}: not asked, it failed ${failed} times in a row`)
      // half open: this one tries, everybody else is refused until it knows
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
        throw new Outage(`${name}: no answer (${reasonOf(cause)})`, { cause })
      } finally {
        underWay -= 1
      }
    },
  }
}
