import { notOpenYet } from './handlers'
import { rooms } from './index'

/** Calls that still answer NOT_OPEN_YET, as `room.call`. */
export const notOpenCalls = (): string[] =>
  Object.entries(rooms).flatMap(([room, handlers]) =>
    Object.entries(handlers)
      .filter(([, handler]) => handler === notOpenYet)
      .map(([call]) => `${room}.${call}`),
  )
