import { useEffect, useState } from 'react'
import { storage } from '@/platform/storage'

/** minimum interval between two codes */
export const SMS_INTERVAL = 60_000
const KEY = 'sms:nextAt'
const MOBILE = 'sms:mobile'

/**
 * When the next code may be requested, by this device's clock. The server's time is used only as far as it is
 * plausible: a device with a wrong clock would otherwise wait for hours or not at all.
 */
export function plausibleNextAt(nextAt: unknown, now: number): number {
  const good = typeof nextAt === 'number' && nextAt > now && nextAt <= now + SMS_INTERVAL
  return good ? nextAt : now + SMS_INTERVAL
}

/** Whole seconds left; a stored time beyond the interval is invalid. */
export function secondsLeft(nextAt: number, now: number): number {
  const left = nextAt - now
  return left > 0 && left <= SMS_INTERVAL ? Math.ceil(left / 1000) : 0
}

function stored(): number {
  const value = Number(storage.get(KEY))
  return Number.isFinite(value) ? value : 0
}

/** Removes the stored number as soon as it is no longer needed. */
export const clearSentMobile = () => storage.remove(MOBILE)

/** The number a code was sent to within the last minute: reading the SMS may have caused the page to reload. */
export function sentMobile(): string {
  if (secondsLeft(stored(), Date.now()) > 0) return storage.get(MOBILE) ?? ''
  clearSentMobile()
  return ''
}

/** Seconds until the next code may be requested; survives a refresh. `start` takes the server's `nextAt` (ms). */
export function useSmsCountdown() {
  const [nextAt, setNextAt] = useState(stored)
  const [now, setNow] = useState(Date.now)
  const left = secondsLeft(nextAt, now)
  const ticking = left > 0

  useEffect(() => {
    if (!ticking) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [ticking])

  function start(fromServer: unknown, mobile?: string) {
    const at = plausibleNextAt(fromServer, Date.now())
    storage.set(KEY, String(at))
    if (mobile) storage.set(MOBILE, mobile)
    setNow(Date.now())
    setNextAt(at)
  }

  return { left, start }
}
