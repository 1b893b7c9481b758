import type { CallGroup, CallOf, Calls } from '@/contract/calls'
import type { Req, Res } from '@/contract/types'
import type { OpenCtx, UserCtx } from '../core/context'

type CtxOf<R extends CallGroup, C extends CallOf<R>> = Calls[R][C] extends { access: 'user' } ? UserCtx : OpenCtx

/** Implements one call: takes a validated request, returns `data` of the response or throws an `AppError`. */
type Handler<R extends CallGroup, C extends CallOf<R>> = (ctx: CtxOf<R, C>, req: Req<R, C>) => Promise<Res<R, C>>

/** All handlers of a group. A missing or misspelt one does not compile. */
export type Handlers<R extends CallGroup> = { readonly [C in CallOf<R>]: Handler<R, C> }
