import type { TSchema } from 'typebox'
import type { CallGroup, CallOf } from '../calls'

/** A schema pair for every call of a group and no other: a missing or invented call does not compile. */
export type GroupSchemas<R extends CallGroup> = Record<CallOf<R>, { req: TSchema; res: TSchema }>
