import type { Network } from './port'

export const network: Network = {
  online: () => navigator.onLine,
  onChange(listener) {
    const on = () => listener(true)
    const off = () => listener(false)
    window.addEventListener('online', on)
    window.addEventListener('offline', off)
    return () => {
      window.removeEventListener('online', on)
      window.removeEventListener('offline', off)
    }
  },
}
