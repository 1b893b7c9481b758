import type { Answers } from '@/contract/form/types'
import type { TaskFail } from '@/contract/types'

/** What a collector needs to begin a read. It never gets a password: the user proves himself to the game. */
export interface ReadRequest {
  taskId: string
  gameId: string
  /** how the user signs in at the game, or PUBLIC_ID for a look-up without any */
  loginType: string
  /** server and public id, as the form knows them */
  lookup: Answers
  /** `https://…` of this server, for the collector's way back */
  origin: string
}

export interface Begun {
  /** the collector's own name for the read */
  ref: string
  /** text of the QR code; absent when there is nothing to scan */
  qr?: string
  /** a page where the user can go on, for example on the same phone */
  webviewUrl?: string
}

/** Reads a game account that its owner allows to be read. What it finds out arrives as `CollectorEvent`s. */
export interface CollectorPort {
  /** Asked twice for the same task it begins one read. @throws when the collector cannot be reached */
  begin(read: ReadRequest): Promise<Begun>
  /** A fresh QR code for a read that waits. */
  newQr(read: ReadRequest & { ref: string }): Promise<string>
  /** Stops the read and forgets whatever was read; nothing to forget is fine. */
  forget(ref: string): Promise<void>
}

export type CollectorEvent =
  | { kind: 'SCANNED' }
  /** 0 to 100 */
  | { kind: 'COLLECTING'; progress: number }
  /** `answers` by the keys of the game's form, `raw` as it came */
  | { kind: 'SUCCESS'; answers: Answers; raw: unknown }
  | { kind: 'FAILED'; code: TaskFail }
