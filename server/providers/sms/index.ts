import type { Settings } from '../../settings'
import { unavailable } from '../unavailable'
import type { SmsPort } from './port'

/**
 * The configured carrier, else the sandbox's phones, else none.
 * @param realNow time for signatures, since the machine's clock may be wrong
 */
export async function openSms(
  { sms, sandbox }: Pick<Settings, 'sms' | 'sandbox'>,
  phones: SmsPort,
  realNow: () => number = Date.now,
): Promise<SmsPort> {
  if (sms) return (await import('./tencent')).createTencentSms(sms, realNow)
  return sandbox ? phones : { sendCode: unavailable('短信服务尚未开通，请稍后再试') }
}
