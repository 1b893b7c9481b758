import type { Settings } from '../../settings'
import { unavailable } from '../unavailable'
import { createHttpCollector } from './http'
import type { CollectorPort } from './port'
import { sandboxCollector } from './sandbox'

const closed = unavailable('授权读取尚未开通，请改为自己填写')
const noCollector: CollectorPort = { begin: closed, newQr: closed, deleteCollection: async () => undefined }

/** The configured collector, else the sandbox's, else none. */
export const openCollector = ({ collector, sandbox }: Settings, realNow: () => number = Date.now): CollectorPort =>
  collector ? createHttpCollector(collector, realNow) : sandbox ? sandboxCollector : noCollector
