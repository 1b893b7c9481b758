/** The decisions about models of a game, for the desk: which was put into use or refused, on what figures. */
import type { Insertable } from 'kysely'
import type { Db } from '../../db/database'
import type { ModelDecisionsTable } from '../../db/tables'
import type { Backtest } from '../../engine/backtest'
import type { Comparison } from '../../engine/compare-models'

/** The figures of a decision. */
export type Figures = Pick<Insertable<ModelDecisionsTable>, 'rule'> &
  Partial<Insertable<Omit<ModelDecisionsTable, 'id' | 'rule'>>>

/** Both models on the same sales. */
export const sameSales = (c: Comparison): Figures => ({
  ...{ rule: 'SAME_SALES', n: c.n, days: c.days, from_at: c.from, until_at: c.until },
  ...{ champion_error: c.champion, challenger_error: c.challenger, standard_error: c.standardError },
})

/** The stored back-test of the model in use and that of the new one, each on its own sales. */
export const backTests = (last: Backtest | undefined, next: Backtest | undefined): Figures => ({
  ...{ rule: last && next ? 'BACKTEST' : 'NONE', n: next?.n ?? null },
  ...{ champion_error: last?.medianError ?? null, challenger_error: next?.medianError ?? null },
})

/** Call in the transaction that carries the decision out. */
export async function storeDecision(tx: Db, decision: Insertable<ModelDecisionsTable>): Promise<void> {
  await tx.insertInto('model_decisions').values(decision).execute()
}
