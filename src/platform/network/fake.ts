import type { Network } from './port'

export function fakeNetwork(online = true) {
  const listeners = new Set<(online: boolean) => void>()
  let now = online
  const network: Network = {
    online: () => now,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return {
    network,
    go(next: boolean) {
      now = next
      for (const listener of listeners) listener(next)
    },
  }
}
