import type { TSchema } from 'typebox'
import type { CallGroup, CallOf } from '../calls'

/** A schema pair for exactly the calls of a group: a missing or additional one does not compile. */
export type GroupSchemas<R extends CallGroup> = Record<CallOf<R>, { req: TSchema; res: TSchema }>
