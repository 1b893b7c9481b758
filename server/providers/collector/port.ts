import type { Answers } from '@/contract/form/types'
import type { TaskFail } from '@/contract/types'

/**
 * The data with which a collector begins a collection. It never gets a password: the user authenticates with the game itself.
 */
export interface CollectionRequest {
  taskId: string
  gameId: string
  /** how the user signs in to the game, or PUBLIC_ID for a look-up without login */
  loginType: string
  /** server and public id, by the form's keys */
  lookup: Answers
  /** `https://…` of this server, for callbacks of the collector */
  origin: string
}

export interface StartedCollection {
  /** the collector's id of the collection */
  ref: string
  /** content of the QR code; absent if there is nothing to scan */
  qr?: string
  /** a page on which the user can continue, for example on the same phone */
  webviewUrl?: string
}

/** Reads a game account with its owner's permission. Results arrive as `CollectorEvent`s. */
export interface CollectorPort {
  /** Idempotent by task. @throws if the collector cannot be reached */
  begin(request: CollectionRequest): Promise<StartedCollection>
  /** A new QR code for a collection that is waiting. */
  newQr(request: CollectionRequest & { ref: string }): Promise<string>
  /** Stops the collection and deletes its data; succeeds if there is none. */
  deleteCollection(ref: string): Promise<void>
}

export type CollectorEvent =
  | { kind: 'SCANNED' }
  /** 0 to 100 */
  | { kind: 'COLLECTING'; progress: number }
  /** `answers` by the keys of the game's form, `raw` as received */
  | { kind: 'SUCCESS'; answers: Answers; raw: unknown }
  | { kind: 'FAILED'; code: TaskFail }
