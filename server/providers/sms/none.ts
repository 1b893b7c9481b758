import { AppError } from '../../app-error'
import type { SmsPort } from './port'

/** Used without sandbox and carrier: nothing can be sent, and users get an error message. */
export const noSms: SmsPort = {
  async sendCode() {
    throw new AppError('SERVICE_UNAVAILABLE', { msg: '短信服务尚未开通，请稍后再试' })
  },
}
