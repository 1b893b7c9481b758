import type { Settings } from '../../settings'
import { noSms } from './none'
import type { SmsPort } from './port'

/**
 * The carrier that the settings name, else the sandbox's phones, else nobody. Only what is used is loaded.
 * @param realNow signs, and a machine's own clock may be wrong
 */
export async function openSms(
  { sms, sandbox }: Pick<Settings, 'sms' | 'sandbox'>,
  phones: SmsPort,
  realNow: () => number = Date.now,
): Promise<SmsPort> {
  if (sms.tencent) return (await import('./tencent')).createTencentSms(sms.tencent, realNow)
  if (sms.aliyun) return (await import('./aliyun')).createAliyunSms(sms.aliyun, realNow)
  return sandbox ? phones : noSms
}
