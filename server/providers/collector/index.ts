import type { Settings } from '../../settings'
import { createHttpCollector } from './http'
import { noCollector } from './none'
import type { CollectorPort } from './port'
import { sandboxCollector } from './sandbox'

/** The configured collector, else the sandbox's, else none. */
export const openCollector = ({ collector, sandbox }: Settings, realNow: () => number = Date.now): CollectorPort =>
  collector ? createHttpCollector(collector, realNow) : sandbox ? sandboxCollector : noCollector
