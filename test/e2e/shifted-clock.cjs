/** Shifts the clock of this process, or page, `ms` ahead of the machine's. */
function shiftClock(ms) {
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...at) {
      super(...(at.length > 0 ? at : [Real.now() + ms]))
    }
    static now() {
      return Real.now() + ms
    }
  }
}

// preloaded into a server by NODE_OPTIONS, so that it counts for its database and its workers too
if (typeof process !== 'undefined') shiftClock(Number(process.env.CLOCK_SHIFT_MS))
