import type { Settings } from '../../settings'
import { noSms } from './none'
import type { SmsPort } from './port'

/** The carrier that the settings name, else the sandbox's phones, else nobody. Only what is used is loaded. */
export async function openSms({ sms, sandbox }: Pick<Settings, 'sms' | 'sandbox'>, phones: SmsPort): Promise<SmsPort> {
  if (sms.tencent) return (await import('./tencent')).createTencentSms(sms.tencent)
  if (sms.aliyun) return (await import('./aliyun')).createAliyunSms(sms.aliyun)
  return sandbox ? phones : noSms
}
