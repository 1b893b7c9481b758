import type { Device } from '@/platform/device/port'
import type { Transport } from '@/platform/transport/port'
import type { ApiError } from './error'

export interface Credentials {
  token?: string
  userId?: string
  channelCode?: string
  bd_vid?: string
  reportUnlockRecordId?: string
}

/** Dependencies of the api; boot/ provides the real ones, tests their own. */
export interface ApiDeps {
  /** Prefix of every call's path; empty on h5. */
  base: string
  secret: string
  transport: Transport
  device: Pick<Device, 'platform' | 'os'>
  credentials(): Credentials
  /** ms */
  now(): number
  /** Called with the server's time (ms) of each response that carries it. */
  onServerTime?(serverMs: number): void
  /** 0 ≤ x < 1 */
  random(): number
  /** Shows every failure that no screen handles, and marks it as shown. */
  showError(error: ApiError): void
  /** Asks for a tap to retry; `close` removes the prompt. */
  promptRetry(text: string): { answer: Promise<boolean>; close(): void }
}
