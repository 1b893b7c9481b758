import { useState } from 'react'
import { useNow } from '@/lib/useNow'
import { storage } from '@/platform/storage'

/** minimum interval between two codes */
export const SMS_INTERVAL = 60_000
const KEY = 'sms:nextAt'
const MOBILE = 'sms:mobile'
const SCENE = 'sms:scene'

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

/**
 * Seconds until the next code to `mobile` may be requested ('': the account's own number); survives a refresh. `start`
 * takes the server's `nextAt` (ms). `scene`: what the last code is for; 0 if none is known.
 */
export function useSmsCountdown(mobile: string) {
  const [last, setLast] = useState(() => ({
    nextAt: stored(),
    mobile: storage.get(MOBILE) ?? '',
    scene: Number(storage.get(SCENE)),
  }))
  const left = last.mobile === mobile ? secondsLeft(last.nextAt, Date.now()) : 0
  useNow(left > 0 ? last.nextAt : 0)

  function start(fromServer: unknown, to: string, scene = 0) {
    const nextAt = plausibleNextAt(fromServer, Date.now())
    storage.set(KEY, String(nextAt))
    storage.set(SCENE, String(scene))
    if (to) storage.set(MOBILE, to)
    else clearSentMobile()
    setLast({ nextAt, mobile: to, scene })
  }

  return { left, scene: last.scene, start }
}
