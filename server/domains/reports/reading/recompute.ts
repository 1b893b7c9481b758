import type { Deps } from '../../../core/context'
import type { AnswerSource, Valuation } from '../../../engine/types'
import { valuate } from '../../../engine/valuate'
import type { ReportRow } from './view'

/**
 * Recomputes a report from its own model, form and answers at its original time: equal to the fen, or, `without` some
 * comparables, what it would have been.
 * @throws Error for a manual report, or when its model or form is gone
 */
export async function recompute(
  { db, repositories: { models } }: Deps,
  row: Pick<ReportRow, 'report_no' | 'model_id' | 'inputs'>,
  without: readonly string[] = [],
): Promise<Valuation> {
  const [model, form] = await Promise.all([
    row.model_id === null ? undefined : models.find(row.model_id),
    db.selectFrom('form_configs').select('config').where('digest', '=', row.inputs.form).executeTakeFirst(),
  ])
  if (!model || !form) throw new Error(`report ${row.report_no} has no model or form to compute it with`)
  const { answers, now, source, shown, earlier } = row.inputs
  return valuate(model.model, form.config, answers, {
    now,
    source: source as AnswerSource,
    without,
    ...(shown && { shown }),
    ...(earlier && { earlier }),
  })
}
