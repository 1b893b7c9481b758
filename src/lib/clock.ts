/** ms a device's clock may be off before it counts as wrong: an answer takes its time to arrive */
const CLOCK_TOLERANCE_MS = 60_000

let offsetMs = 0

/** Hears the server's time (ms) from its answers. */
export function observeServerTime(serverMs: number) {
  const apart = serverMs - Date.now()
  if (Number.isFinite(apart)) offsetMs = Math.abs(apart) > CLOCK_TOLERANCE_MS ? apart : 0
}

/** The server's time, ms: what "today" is hangs on it, and this device's clock may be wrong. */
export const serverTime = () => Date.now() + offsetMs

/** A time of the server (ms) on this device's clock, which may be wrong: as far from now as it was from the answer's `now`. */
export const toDeviceTime = (at: number, serverNow: number | undefined): number =>
  Date.now() + at - (serverNow ?? Date.now())
