/** Limited-memory BFGS (Nocedal & Wright, algorithm 7.5) with backtracking: minimises a smooth function, deterministic. */

/** Value at `x`; writes the gradient into `gradient`. */
export type Objective = (x: Float64Array, gradient: Float64Array) => number

const MEMORY = 30
const ARMIJO = 1e-4
const MAX_HALVINGS = 30
/** with a greater one, where the fit stops depends on single sales more than their prices do */
const TOLERANCE = 3e-6

interface Pair {
  s: Float64Array
  y: Float64Array
  rho: number
}

/** The same function of `u`, where x = centre + unit · u: rescaled so that steps are comparable in all directions. */
export function rescaled(f: Objective, centre: Float64Array, unit: Float64Array) {
  const x = new Float64Array(centre.length)
  const toX = (u: Float64Array): Float64Array => {
    for (let i = 0; i < x.length; i++) x[i] = (centre[i] ?? 0) + (unit[i] ?? 1) * (u[i] ?? 0)
    return x
  }
  const objective: Objective = (u, gradient) => {
    const value = f(toX(u), gradient)
    for (let i = 0; i < gradient.length; i++) gradient[i] = (gradient[i] ?? 0) * (unit[i] ?? 1)
    return value
  }
  return { objective, toX: (u: Float64Array) => Float64Array.from(toX(u)) }
}

/** Best point found within `rounds`; stops early when three rounds gain less than `TOLERANCE` of the value each. */
export function minimise(f: Objective, start: Float64Array, rounds: number): Float64Array {
  let x = Float64Array.from(start)
  let gradient = new Float64Array(x.length)
  let value = f(x, gradient)
  const pairs: Pair[] = []
  let small = 0
  for (let round = 0; round < rounds; round++) {
    let descent = direction(gradient, pairs)
    let slope = dot(descent, gradient)
    if (!(slope < 0)) {
      pairs.length = 0
      descent = gradient.map((g) => -g)
      slope = dot(descent, gradient)
    }
    const first = pairs.length === 0 ? 1 / Math.max(1, Math.sqrt(-slope)) : 1
    const next = search(f, x, value, descent, slope, first)
    if (!next) break
    remember(pairs, x, next.x, gradient, next.gradient)
    const gain = value - next.value
    x = next.x
    gradient = next.gradient
    value = next.value
    small = gain < TOLERANCE * (Math.abs(value) + 1) ? small + 1 : 0
    if (small > 2) break
  }
  return x
}

function search(f: Objective, x: Float64Array, value: number, descent: Float64Array, slope: number, first: number) {
  let step = first
  for (let halving = 0; halving < MAX_HALVINGS; halving++) {
    const point = x.map((v, i) => v + step * (descent[i] ?? 0))
    const gradient = new Float64Array(x.length)
    const there = f(point, gradient)
    if (there <= value + ARMIJO * step * slope) return { x: point, gradient, value: there }
    step /= 2
  }
  return undefined
}

function remember(pairs: Pair[], x: Float64Array, nextX: Float64Array, g: Float64Array, nextG: Float64Array): void {
  const s = nextX.map((v, i) => v - (x[i] ?? 0))
  const y = nextG.map((v, i) => v - (g[i] ?? 0))
  const curve = dot(s, y)
  if (curve <= 1e-12) return
  pairs.push({ s, y, rho: 1 / curve })
  if (pairs.length > MEMORY) pairs.shift()
}

function direction(gradient: Float64Array, pairs: readonly Pair[]): Float64Array {
  const q = gradient.map((g) => -g)
  const alphas: number[] = []
  for (const { s, y, rho } of [...pairs].reverse()) {
    const alpha = rho * dot(s, q)
    alphas.unshift(alpha)
    add(q, y, -alpha)
  }
  const last = pairs.at(-1)
  if (last) {
    const scale = 1 / (last.rho * dot(last.y, last.y))
    for (let i = 0; i < q.length; i++) q[i] = (q[i] ?? 0) * scale
  }
  for (const [k, { s, y, rho }] of pairs.entries()) add(q, s, (alphas[k] ?? 0) - rho * dot(y, q))
  return q
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0
  for (let i = 0; i < a.length; i++) total += (a[i] ?? 0) * (b[i] ?? 0)
  return total
}

function add(to: Float64Array, what: Float64Array, times: number): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] ?? 0) + times * (what[i] ?? 0)
}
