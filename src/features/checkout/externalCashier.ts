import { storage } from '@/platform/storage'

const KEY = 'pay:outside'
/** ms: nobody stays in a cashier for longer than an order waits for money */
const MAX_AGE_MS = 30 * 60_000

/** Marks on this device that the person went to a cashier outside, for when the page is loaded anew on the way back. */
export const externalCashier = {
  leave: (orderId: string) => storage.set(KEY, `${orderId} ${Date.now()}`),
  forget: () => storage.remove(KEY),
  isLeft(orderId: string): boolean {
    const [id, at] = (storage.get(KEY) ?? '').split(' ')
    const age = Date.now() - Number(at)
    return id === orderId && age >= 0 && age < MAX_AGE_MS
  },
}
