import { AppError } from '../../app-error'
import type { CollectorPort } from './port'

const closed = async (): Promise<never> => {
  throw new AppError('SERVICE_UNAVAILABLE', { msg: '授权读取尚未开通，请改为自己填写' })
}

/** Used without sandbox and collector: every collection is refused, with a message to the user. */
export const noCollector: CollectorPort = { begin: closed, newQr: closed, deleteCollection: async () => undefined }
