import type { CallGroup, CallOf } from '@/contract/calls'
import type { Req, Res } from '@/contract/types'
import type { CallOptions } from './client'

type Args<R extends CallGroup, C extends CallOf<R>> =
  Record<never, never> extends Req<R, C>
    ? [req?: Req<R, C>, options?: CallOptions]
    : [req: Req<R, C>, options?: CallOptions]

/** One typed function per call of the table: `api.evaluation.gameConfig({ gameId, mode })`. Rejects with ApiError only. */
export type Api = { [R in CallGroup]: { [C in CallOf<R>]: (...args: Args<R, C>) => Promise<Res<R, C>> } }
