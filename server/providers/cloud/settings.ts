import { type Env, oneOf, together } from '../../core/env'
import { StartError } from '../../core/start-error'
import type { TencentSmsSettings } from '../sms/tencent'
import type { TencentService } from './tc3'

/** @throws StartError */
function tencentKey(env: Env, why: string) {
  const key = together(env, { secretId: 'TENCENT_SECRET_ID', secretKey: 'TENCENT_SECRET_KEY' })
  if (!key) throw new StartError(`设置 TENCENT_SECRET_ID、TENCENT_SECRET_KEY 缺失：${why} 需要它们。`)
  return key
}

/** The SMS carrier; without one codes go to the sandbox, or cannot be sent. @throws StartError; keys are never printed */
export function parseSms(env: Env): TencentSmsSettings | undefined {
  const sms = together(env, { appId: 'TENCENT_SMS_APP_ID', sign: 'SMS_SIGN', template: 'SMS_TEMPLATE' })
  return sms && { ...sms, key: tencentKey(env, 'TENCENT_SMS_APP_ID'), url: 'https://sms.tencentcloudapi.com' }
}

/** @throws StartError naming what is missing */
export function parseRealName(env: Env): TencentService | undefined {
  if (oneOf(env, 'REALNAME_PROVIDER', 'none', ['none', 'tencent']) === 'none') return undefined
  return { key: tencentKey(env, 'REALNAME_PROVIDER=tencent'), url: 'https://faceid.tencentcloudapi.com' }
}
