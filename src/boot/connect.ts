import type { Connection } from '@/api/connection'
import { AppError, markShown } from '@/api/error'
import { networkReasons } from '@/contract/networkErrors'
import { network } from '@/platform/network'
import { networkCode } from '@/platform/transport/port'
import { askToRetry } from './retry'

let loading: Promise<Connection> | undefined
let onLost: () => Promise<unknown> = async () => undefined

/** Hears when the file cannot be loaded: another build may have taken its place. */
export const onConnectionLoadError = (recover: typeof onLost) => {
  onLost = recover
}

function load(): Promise<Connection> {
  loading ??= import('./connection')
    .then(({ connection }) => connection)
    .catch(async (e: unknown) => {
      loading = undefined
      await onLost()
      throw e
    })
  return loading
}

/**
 * Loads what sends. Where that fails the user may tap to try again, unless the caller shows failures itself (`quiet`).
 * @throws AppError
 */
export async function connect(quiet: boolean): Promise<Connection> {
  for (;;) {
    try {
      return await load()
    } catch {
      const msg = networkReasons[network.online() ? 'unreachable' : 'offline'].text
      const error = new AppError({ kind: 'network', code: networkCode.failure, msg, behaviour: 'toast' })
      if (quiet) throw error
      const again = await askToRetry(msg).answer
      markShown(error)
      if (!again) throw error
    }
  }
}

/** Loads it before it is asked for, so that it comes together with the code of the next page. */
export const preloadConnection = () => void load().catch(() => undefined)
