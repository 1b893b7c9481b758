/** The decisions about models of a game, for the desk: which was put into use or refused, on what metrics. */
import type { Insertable } from 'kysely'
import type { Db } from '../../db/database'
import type { ModelDecisions } from '../../db/tables'

/** The metrics of a decision. */
export type DecisionMetrics = Pick<Insertable<ModelDecisions>, 'rule'> &
  Partial<Insertable<Omit<ModelDecisions, 'id' | 'rule'>>>

/** Call in the transaction that carries the decision out. */
export async function storeDecision(tx: Db, decision: Insertable<ModelDecisions>): Promise<void> {
  await tx.insertInto('model_decisions').values(decision).execute()
}
