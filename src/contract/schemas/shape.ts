import type { TSchema } from 'typebox'
import type { CallOf, Room } from '../calls'

/** A schema pair for every call of a room and no other: a missing or invented call does not compile. */
export type RoomSchemas<R extends Room> = Record<CallOf<R>, { req: TSchema; res: TSchema }>
