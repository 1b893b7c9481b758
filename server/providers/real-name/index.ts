import type { Settings } from '../../settings'
import { unavailable } from '../unavailable'
import type { RealNamePort } from './port'
import { sandboxRealName } from './sandbox'

/** The configured service, else the sandbox's, else none. */
export async function openRealName({
  realName,
  sandbox,
}: Pick<Settings, 'realName' | 'sandbox'>): Promise<RealNamePort> {
  if (realName) return (await import('./tencent')).createTencentRealName(realName)
  return sandbox ? sandboxRealName : { matches: unavailable('实名认证服务尚未开通，请稍后再试') }
}
