/** smaller offsets are ignored, because they may be network latency */
const CLOCK_TOLERANCE_MS = 60_000

let offsetMs = 0

/** Updates the clock offset from a response's server time (ms). */
export function observeServerTime(serverMs: number) {
  const apart = serverMs - Date.now()
  if (Number.isFinite(apart)) offsetMs = Math.abs(apart) > CLOCK_TOLERANCE_MS ? apart : 0
}

/** Current time of the server (ms), because the device's clock may be wrong. */
export const serverTime = () => Date.now() + offsetMs

/** A time of the server (ms) on this device's clock, which may be wrong: as far from now as it was from the response's `now`. */
export const toDeviceTime = (at: number, serverNow: number | undefined): number =>
  Date.now() + at - (serverNow ?? Date.now())
