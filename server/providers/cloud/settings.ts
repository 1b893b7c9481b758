import { type Env, oneOf, text } from '../../core/env'
import { StartError } from '../../core/start-error'
import type { TencentRealNameSettings } from '../real-name/tencent'
import type { AliyunSmsSettings } from '../sms/aliyun'
import type { TencentSmsSettings } from '../sms/tencent'

/** The SMS carrier. If none is set up, codes go to the sandbox, or cannot be sent. */
export interface SmsSettings {
  tencent: TencentSmsSettings | undefined
  aliyun: AliyunSmsSettings | undefined
}

/** The values of these variables. @throws StartError listing the missing ones */
function need<K extends string>(env: Env, why: string, names: Record<K, string>): Record<K, string> {
  const pairs = (Object.entries(names) as [K, string][]).map(([key, name]) => ({ key, name, value: text(env, name) }))
  const missing = pairs.filter(({ value }) => value === undefined).map(({ name }) => name)
  if (missing.length > 0) throw new StartError(`设置 ${missing.join('、')} 缺失：${why} 需要它们。`)
  return Object.fromEntries(pairs.map(({ key, value }) => [key, value])) as Record<K, string>
}

const tencentKey = (env: Env, why: string) =>
  need(env, why, { secretId: 'TENCENT_SECRET_ID', secretKey: 'TENCENT_SECRET_KEY' })
const region = 'ap-guangzhou'

function tencentSms(env: Env): TencentSmsSettings {
  const why = 'SMS_PROVIDER=tencent'
  const names = { appId: 'TENCENT_SMS_APP_ID', sign: 'SMS_SIGN', template: 'SMS_TEMPLATE' }
  const { appId, sign, template } = need(env, why, names)
  return { key: tencentKey(env, why), appId, sign, template, region, url: 'https://sms.tencentcloudapi.com' }
}

function aliyunSms(env: Env): AliyunSmsSettings {
  const why = 'SMS_PROVIDER=aliyun'
  const { sign, template } = need(env, why, { sign: 'SMS_SIGN', template: 'SMS_TEMPLATE' })
  const key = need(env, why, { accessKeyId: 'ALIYUN_ACCESS_KEY_ID', accessKeySecret: 'ALIYUN_ACCESS_KEY_SECRET' })
  return { key, sign, template, url: 'https://dysmsapi.aliyuncs.com' }
}

/** @throws StartError naming what is missing; keys are never printed */
export function parseSms(env: Env): SmsSettings {
  const provider = oneOf(env, 'SMS_PROVIDER', 'none', ['none', 'tencent', 'aliyun'])
  return {
    tencent: provider === 'tencent' ? tencentSms(env) : undefined,
    aliyun: provider === 'aliyun' ? aliyunSms(env) : undefined,
  }
}

/** @throws StartError naming what is missing */
export function parseRealName(env: Env): TencentRealNameSettings | undefined {
  if (oneOf(env, 'REALNAME_PROVIDER', 'none', ['none', 'tencent']) === 'none') return undefined
  const key = tencentKey(env, 'REALNAME_PROVIDER=tencent')
  return { key, region, url: 'https://faceid.tencentcloudapi.com' }
}
