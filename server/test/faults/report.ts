/** Figures of each fault, kept as files: scripts/faults.mjs makes one table of those of several jest processes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { HealthAnswers } from './health'

export type Engine = 'PostgreSQL' | 'embedded'

export interface Figures {
  engine: Engine
  fault: string
  /** ms since 1970 */
  startedAt: number
  requests: number
  /** failed requests by outcome */
  errors: Record<string, number>
  /** ms of the slowest request and the 95th percentile */
  slowest: number
  p95: number
  /** processes that ended on their own */
  exits: number
  uncaught: number
  paid: number
  /** payments and orders acknowledged as paid to the provider or a client */
  acknowledged: number
  lost: number
  halfCommitted: number
  /** other differences between our records, the provider and the orders */
  others: number
  /** answers of /readyz and /healthz during the fault */
  health: HealthAnswers
  /** ms from the end of the fault until every server answers from its database; undefined: never */
  recovery: number | undefined
}

const folder = path.join(__dirname, '../../../.cache/faults')

/** @param details lines about differences and process exits */
export function saveFaultFigures(figures: Figures, details: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  const name = `${figures.engine}-${figures.fault}`.replace(/[^\w-]+/g, '_')
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(figures))
  writeFileSync(path.join(folder, `${name}.txt`), `${details.join('\n')}\n`)
}
