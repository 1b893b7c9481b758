import type { FormConfig } from '@/contract/form/types'
import type { Db } from '../../db/database'
import type { AnswerSource, Valuation } from '../../engine/types'
import { valuate } from '../../engine/valuate'
import type { ModelRepository } from '../models/repository'
import type { ReportRow } from './view'

/** The form used for the report; reports older than stored forms were made with the current one. */
async function formOf(
  db: Db,
  { inputs, game_id }: Pick<ReportRow, 'inputs' | 'game_id'>,
): Promise<FormConfig | undefined> {
  const kept = await db.selectFrom('form_configs').select('config').where('digest', '=', inputs.form).executeTakeFirst()
  if (kept) return kept.config
  return (await db.selectFrom('games').select('config').where('game_id', '=', game_id).executeTakeFirst())?.config
}

/**
 * Recomputes a report from its own model, form and answers at its original time: equal to the fen, or, `without` some
 * comparables, what it would have been.
 * @throws Error for a manual report, or when its model or form is gone
 */
export async function recompute(
  { db, models }: { db: Db; models: Pick<ModelRepository, 'find'> },
  row: Pick<ReportRow, 'report_no' | 'model_id' | 'inputs' | 'game_id'>,
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
