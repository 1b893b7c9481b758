import { AppError } from '../../app-error'
import type { CollectorPort } from './port'

const closed = async (): Promise<never> => {
  throw new AppError('SERVICE_UNAVAILABLE', { msg: '授权读取尚未开通，请改为自己填写' })
}

/** Without the sandbox and without a collector nothing can be read, and the user is told so. */
export const noCollector: CollectorPort = { begin: closed, newQr: closed, forget: async () => undefined }
