import type { FormConfig } from '@/contract/form/types'
import type { Db } from '../../db/database'
import type { AnswerSource, Valuation } from '../../engine/types'
import { valuate } from '../../engine/valuate'
import type { ModelRepository } from '../models/repository'
import type { Row } from './view'

/** The form the report was made with; reports older than kept forms were made with one like today's. */
async function formOf(db: Db, { inputs, game_id }: Pick<Row, 'inputs' | 'game_id'>): Promise<FormConfig | undefined> {
  const kept = await db.selectFrom('form_configs').select('config').where('digest', '=', inputs.form).executeTakeFirst()
  if (kept) return kept.config
  return (await db.selectFrom('games').select('config').where('game_id', '=', game_id).executeTakeFirst())?.config
}

/**
 * The valuation of a computed report once more, from its own model, form and answers, at its own moment: the same to
 * the fen, or, `without` some comparables, what it would have been.
 * @throws Error for a person's report, or when its model or form is gone
 */
export async function recompute(
  { db, models }: { db: Db; models: Pick<ModelRepository, 'find'> },
  row: Pick<Row, 'report_no' | 'model_id' | 'inputs' | 'game_id'>,
  without: readonly string[] = [],
): Promise<Valuation> {
  const [model, form] = await Promise.all([
    row.model_id === null ? undefined : models.find(row.model_id),
    formOf(db, row),
  ])
  if (!model || !form) throw new Error(`report ${row.report_no} has no model or form to compute it with`)
  const { answers, now, source } = row.inputs
  return valuate(model.model, form, answers, { now, source: source as AnswerSource, without })
}
