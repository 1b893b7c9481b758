import { storage } from '@/platform/storage'

const KEY = 'pay:outside'
/** ms: nobody stays in a cashier for longer than an order waits for money */
const MAX_AGE_MS = 30 * 60_000

/** Remembers that the user left for an external cashier, because the page is reloaded on the way back. */
export const externalCashier = {
  leave: (orderId: string) => storage.set(KEY, `${orderId} ${Date.now()}`),
  clear: () => storage.remove(KEY),
  isLeft(orderId: string): boolean {
    const [id, at] = (storage.get(KEY) ?? '').split(' ')
    const age = Date.now() - Number(at)
    return id === orderId && age >= 0 && age < MAX_AGE_MS
  },
}
