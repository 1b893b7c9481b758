import type { Settings } from '../../settings'
import { unavailable } from '../unavailable'
import type { SmsPort } from './port'

/** The configured carrier, else the sandbox's phones, else none. */
export async function openSms({ sms, sandbox }: Pick<Settings, 'sms' | 'sandbox'>, phones: SmsPort): Promise<SmsPort> {
  if (sms) return (await import('./tencent')).createTencentSms(sms)
  return sandbox ? phones : { sendCode: unavailable('短信服务尚未开通，请稍后再试') }
}
