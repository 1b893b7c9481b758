import { AppError } from '../../app-error'
import type { RealNamePort } from './port'

/** Used without sandbox and configured service: every check is refused, with a message to the user. */
export const noRealName: RealNamePort = {
  async matches() {
    throw new AppError('SERVICE_UNAVAILABLE', { msg: '实名认证服务尚未开通，请稍后再试' })
  },
}
