import { ApiError, markShown } from '@/api/error'
import type { NetworkApi } from '@/api/networkApi'
import { networkReasons } from '@/contract/networkErrors'
import { network } from '@/platform/network'
import { networkCode } from '@/platform/transport/port'
import { retryPrompt } from './retry'

let loading: Promise<NetworkApi> | undefined
let onLost: () => Promise<unknown> = async () => undefined

/** Called when the chunk cannot be loaded, possibly because a new build was deployed. */
export const onNetworkApiLoadError = (recover: typeof onLost) => {
  onLost = recover
}

function load(): Promise<NetworkApi> {
  loading ??= import('./networkApi')
    .then(({ networkApi }) => networkApi)
    .catch(async (e: unknown) => {
      loading = undefined
      await onLost()
      throw e
    })
  return loading
}

/**
 * Loads the network API. If that fails the user can tap to retry, unless the caller shows failures (`quiet`).
 * @throws ApiError
 */
export async function loadNetworkApi(quiet: boolean): Promise<NetworkApi> {
  for (;;) {
    try {
      return await load()
    } catch {
      const msg = networkReasons[network.online() ? 'unreachable' : 'offline'].text
      const error = new ApiError({ kind: 'network', code: networkCode.failure, msg, behaviour: 'toast' })
      if (quiet) throw error
      const again = await retryPrompt(msg).answer
      markShown(error)
      if (!again) throw error
    }
  }
}

/** Preloads it in parallel with the code of the next page. */
export const preloadNetworkApi = () => void load().catch(() => undefined)
