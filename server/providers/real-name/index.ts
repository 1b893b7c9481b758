import type { Settings } from '../../settings'
import { noRealName } from './none'
import type { RealNamePort } from './port'
import { sandboxRealName } from './sandbox'

/** The authority that the settings name, else the sandbox's, else nobody. */
export async function openRealName({
  realName,
  sandbox,
}: Pick<Settings, 'realName' | 'sandbox'>): Promise<RealNamePort> {
  if (realName) return (await import('./tencent')).createTencentRealName(realName)
  return sandbox ? sandboxRealName : noRealName
}
