import type { CallGroup, CallOf, Calls } from '@/contract/calls'
import type { Req, Res } from '@/contract/types'
import type { OpenCtx, UserCtx } from '../context'

type CtxOf<R extends CallGroup, C extends CallOf<R>> = Calls[R][C] extends { access: 'user' } ? UserCtx : OpenCtx

/** The work behind one call: gets a validated request, gives `data` of the answer or throws an `AppError`. */
type Handler<R extends CallGroup, C extends CallOf<R>> = (ctx: CtxOf<R, C>, req: Req<R, C>) => Promise<Res<R, C>>

/** All calls of a group. A missing or misspelt one does not compile. */
export type Handlers<R extends CallGroup> = { readonly [C in CallOf<R>]: Handler<R, C> }
