import { NETWORK_TIMEOUT } from '@/contract/constants'
import { absoluteUrl } from './address'
import type { createClient } from './client'
import type { ApiDeps } from './deps'
import type { UploadOptions } from './upload'

/** Downloads a file from a URL given by the server. Rejects with ApiError, which the caller shows. */
export type Download = (address: string, options: UploadOptions) => Promise<string>

export function createDownload({ transfer }: ReturnType<typeof createClient>, deps: ApiDeps): Download {
  return async (address, { signal, onProgress }) => {
    const get = { url: absoluteUrl(address, deps.base), headers: {}, timeoutMs: NETWORK_TIMEOUT, onProgress }
    return (await transfer(() => deps.transport.download(get), { quiet: true, signal })).file
  }
}
