/** A time of the server (ms) on this device's clock, which may be wrong: as far from now as it was from the answer's `now`. */
export const here = (at: number, serverNow: number | undefined): number => Date.now() + at - (serverNow ?? Date.now())
