import type { Device } from '@/platform/device/port'
import type { Transport } from '@/platform/transport/port'
import type { AppError } from './error'

export interface Credentials {
  token?: string
  userId?: string
  channelCode?: string
  bd_vid?: string
  reportUnlockRecordId?: string
}

/** Everything the api needs from the world; boot/ puts in the real things, tests their own. */
export interface ApiDeps {
  /** Put before the path of every call; empty on h5. */
  base: string
  secret: string
  transport: Transport
  device: Pick<Device, 'platform' | 'os'>
  credentials(): Credentials
  /** ms */
  now(): number
  /** Hears the server's time, ms, from each answer that tells it. */
  heardTime?(serverMs: number): void
  /** 0 ≤ x < 1 */
  random(): number
  /** Told every failure that no screen has claimed; marks it as shown. */
  tell(error: AppError): void
  /**
   * The login of this token is over: gets another for the same user without asking, where that is possible. True when
   * there is one.
   */
  renew?(usedToken: string | undefined): Promise<boolean>
  /** Hears of every failed call, told or not; `path` is without parameters. */
  failed?(path: string, error: AppError): void
  /** Asks for a tap to try again; `close` takes the question away. */
  askToRetry(text: string): { answer: Promise<boolean>; close(): void }
}
