/** How busy a pool of connections is, for load shedding and metrics. */
export interface PoolMetrics {
  /** connections the pool may open */
  readonly size: number
  /** connections in use */
  inUse(): number
  /** uses that wait for a connection */
  waiting(): number
  /**
   * ms that a use beginning now would wait for the pool: how long the longest has waited, or how long those in front
   * will take, whichever is more. The first alone would let in everybody who comes at once.
   */
  expectedWait(): number
  /** expected wait of a use of one route, including that for its share */
  expectedWaitOf(route: string): number
  /** Registers a listener for how long each use waited (ms). */
  onWaited(listener: (ms: number) => void): void
}

/** A `PoolMetrics` that its pool keeps up to date. */
export interface MeasuredPool extends PoolMetrics {
  /**
   * Waits for the share of a route, then for a connection.
   * @param route undefined: work that belongs to no route has no share of its own
   */
  connect<C extends object>(connecting: () => Promise<C>, route?: string): Promise<C>
  released(connection: object): void
}

/** Connections that the requests of one route may use at once, as a share of the pool. */
const BULKHEAD_SHARE = 0.7

/** weight of the newest use in the mean time a connection is held */
const NEWEST = 0.05

/** The uses of one route. */
class Bulkhead {
  private held = 0
  private readonly turns: (() => void)[] = []
  readonly waits = new Set<Wait>()

  constructor(readonly most: number) {}

  async enter(): Promise<void> {
    if (this.held < this.most) this.held += 1
    else await new Promise<void>((turn) => this.turns.push(turn))
  }

  leave(): void {
    const next = this.turns.shift()
    if (next) next()
    else this.held -= 1
  }
}

interface Wait {
  /** ms, monotonic */
  since: number
}

/** Sets keep their order, so the first wait is the longest. */
function longestOf([first]: ReadonlySet<Wait>): number {
  return first ? performance.now() - first.since : 0
}

/**
 * Measures a pool and divides it: while the requests of one route use their share of it, further ones of that route
 * wait among themselves and leave the rest to the others.
 */
export function measurePool(size: number): MeasuredPool {
  const most = Math.max(1, Math.floor(size * BULKHEAD_SHARE))
  const listeners: ((ms: number) => void)[] = []
  const shares = new Map<string, Bulkhead>()
  const waits = new Set<Wait>()
  const holders = new WeakMap<object, { share: Bulkhead | undefined; since: number }>()
  let inUse = 0
  /** ms a connection is held on average */
  let held = 0
  const expected = (waiting: ReadonlySet<Wait>, connections: number) =>
    Math.max(longestOf(waiting), (waiting.size * held) / connections)

  const shareOf = (route: string): Bulkhead => {
    const share = shares.get(route) ?? new Bulkhead(most)
    shares.set(route, share)
    return share
  }

  async function fromPool<C extends object>(connecting: () => Promise<C>): Promise<C> {
    const wait = { since: performance.now() }
    waits.add(wait)
    try {
      return await connecting()
    } finally {
      waits.delete(wait)
    }
  }

  async function connect<C extends object>(connecting: () => Promise<C>, route?: string): Promise<C> {
    const share = route === undefined ? undefined : shareOf(route)
    const wait = { since: performance.now() }
    share?.waits.add(wait)
    try {
      await share?.enter()
      const connection = await fromPool(connecting).catch((error: unknown) => {
        share?.leave()
        throw error
      })
      inUse += 1
      holders.set(connection, { share, since: performance.now() })
      return connection
    } finally {
      share?.waits.delete(wait)
      for (const listener of listeners) listener(performance.now() - wait.since)
    }
  }

  return {
    size,
    inUse: () => inUse,
    waiting: () => waits.size,
    expectedWait: () => expected(waits, size),
    expectedWaitOf(route) {
      const share = shares.get(route)
      return share ? expected(share.waits, share.most) : 0
    },
    onWaited: (listener) => listeners.push(listener),
    connect,
    released(connection) {
      inUse -= 1
      const holder = holders.get(connection)
      holders.delete(connection)
      if (!holder) return
      held += NEWEST * (performance.now() - holder.since - held)
      holder.share?.leave()
    },
  }
}
