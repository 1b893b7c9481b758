import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { Report } from '@/contract/types'
import { AppError } from '../../core/app-error'
import { compactChinaTime } from '../../core/clock'
import type { Db } from '../../db/database'
import type { Reports } from '../../db/tables'
import { riskOf } from '../../engine/advice'
import type { AnswerSource, Valued } from '../../engine/types'
import { percentileOf } from '../../engine/valuate'
import { accountOf } from '../games/account-identity'
import type { ActiveModel } from '../models/repository'
import { randomReadable, sha256 } from '../shared/secrets'
import type { AgreedPrice, Appraisal } from './appraised-price'
import { reconcile } from './reading/reconciliation'
import { reportValidUntil } from './validity'

/** incremented when reports stored earlier can no longer be read; a report of another format is refused */
export const REPORT_FORMAT = 1

/** Stored body of a computed report: the whole valuation, and whether its model used generated sales. */
export type StoredReport = Omit<Valued, 'ok' | 'model'> & {
  model: Valued['model'] & Pick<ActiveModel, 'synthetic' | 'syntheticShare'>
  changed?: Report['changed']
}

export type Person = NonNullable<Report['appraiser']>

/** Stored body of a manual report: the prices and details of its appraisals, and the model's whole report at that time. */
export interface StoredAppraisal {
  price: Report['price']
  /** who valued it; of an expert order whose price is the middle one, its author */
  appraiser: Person
  /** the others of an expert order; in a later version those who valued the version before and took no part in this one */
  others: readonly Person[]
  risk: Valued['risk']
  /** number of pictures that the appraisers had */
  pictures: number
  reconciliation?: Report['reconciliation']
  /** rank of the price among the game's sales, absent without a model */
  percentile?: number
  revised?: Report['revised']
  /** absent without a model */
  computed?: StoredReport
}

type WithBody = Pick<Selectable<Reports>, 'body'>

const isOfThisFormat = (body: object): body is StoredReport | StoredAppraisal =>
  'format' in body && body.format === REPORT_FORMAT

/** The stored body of a report. @throws AppError SERVICE_UNAVAILABLE for one of another format */
export function reportBody({ body }: WithBody): StoredReport | StoredAppraisal {
  if (!isOfThisFormat(body))
    throw new AppError('SERVICE_UNAVAILABLE', { msg: '这份报告由其他版本的系统出具，现在打不开，请稍后再试或联系客服' })
  return body
}

/** The stored body of a computed report; undefined for one that is not computed or of another format. */
export function computedBodyOf({ body }: WithBody): StoredReport | undefined {
  return isOfThisFormat(body) && 'breakdown' in body ? body : undefined
}

/** A validated request for a valuation. */
export interface ValuationRequest {
  config: FormConfig
  answers: Answers
  source: AnswerSource
  /** number of answers that the owner's screenshots show */
  shown?: number
  /** ms */
  now: number
  /** answers of earlier reports that limited the price */
  earlier?: Answers[]
}

interface NewReport {
  orderId: string
  userId: string
  accountId: string
  version: number
  modelId: number | null
  body: StoredReport | StoredAppraisal
}

/** Stores the current form once, under its digest. */
async function keepForm(tx: Db, config: FormConfig): Promise<string> {
  const text = JSON.stringify(config)
  const digest = sha256(text)
  const existing = await tx.selectFrom('form_configs').select('digest').where('digest', '=', digest).executeTakeFirst()
  if (!existing)
    await tx
      .insertInto('form_configs')
      .values({ digest, config: text })
      .onConflict((c) => c.doNothing())
      .execute()
  return digest
}

/** SQL: hash of a body as the database writes it. */
export const digestOf = (body: RawBuilder<unknown>) =>
  sql<string>`encode(sha256(convert_to((${body})::text, 'UTF8')), 'hex')`

/** Stores a report. @returns its number */
async function insertReport(
  tx: Db,
  { config, answers, source, shown, now, earlier = [] }: ValuationRequest,
  r: NewReport,
): Promise<string> {
  const form = await keepForm(tx, config)
  const body = JSON.stringify({ format: REPORT_FORMAT, ...r.body })
  for (;;) {
    const row = await tx
      .insertInto('reports')
      .values({
        report_no: `GZ${compactChinaTime(now).day}-${randomReadable(6)}`,
        order_id: r.orderId,
        user_id: r.userId,
        game_id: config.gameId,
        account_id: r.accountId,
        version: r.version,
        // an appraiser's report was paid for before
        status: 'appraiser' in r.body ? 'UNLOCKED' : 'LOCKED',
        model_id: r.modelId,
        inputs: JSON.stringify({
          answers,
          source,
          ...(shown && { shown }),
          now,
          form,
          ...(earlier.length > 0 && { earlier }),
        }),
        body,
        // without what it says of an earlier report, which may have to go
        digest: digestOf(sql`${body}::jsonb - 'changed'`),
        predict_fen: r.body.price.predictFen,
        created_at: now,
        valid_until: reportValidUntil(now),
      })
      .onConflict((c) => c.column('report_no').doNothing())
      .returning('report_no')
      .executeTakeFirst()
    if (row) return row.report_no
  }
}

interface Computed {
  orderId: string
  userId: string
  accountId: string
  valued: Valued
  active: ActiveModel
  changed?: Report['changed']
}

/** A valuation as the body of a computed report. */
const computedBody = ({ ok: _, model, active, ...rest }: NonNullable<AppraisedPrice['valued']>): StoredReport => ({
  ...rest,
  model: { ...model, synthetic: active.synthetic, syntheticShare: active.syntheticShare },
})

/** Stores the report of a model valuation, locked. @returns its number */
export function storeComputed(
  tx: Db,
  asked: ValuationRequest,
  { valued, active, changed, ...of }: Computed,
): Promise<string> {
  return insertReport(tx, asked, {
    ...of,
    version: 1,
    modelId: active.id,
    body: { ...computedBody({ ...valued, active }), ...(changed && { changed }) },
  })
}

export interface AppraisedPrice extends AgreedPrice {
  orderId: string
  userId: string
  /** starts at 1, incremented by each later report of the same order */
  version: number
  /** of several appraisers each is named with their own price */
  isExpert: boolean
  /** who valued the version before */
  before?: readonly Person[]
  /** number of pictures that the appraisers had */
  pictures: number
  /** why there is a later version */
  revised?: NonNullable<Report['revised']>
  /** the model's valuation of the same answers, if any */
  valued?: Valued & { active: Pick<ActiveModel, 'model' | 'synthetic' | 'syntheticShare'> }
}

/** Stores the report of a manual valuation, unlocked for its owner. @returns its number and the account's id */
export async function storeAppraisedReport(
  tx: Db,
  asked: ValuationRequest,
  o: AppraisedPrice,
): Promise<{ reportNo: string; accountId: string }> {
  const { accountId } = await accountOf(tx, o.userId, asked.config, asked.answers)
  const { price, authors, others, before = [], isExpert, pictures, revised, valued } = o
  const person = ({ name, no, years, comment, priceFen, details: work }: Appraisal): Person => ({
    ...{ name, no, years, comment, work },
    ...(isExpert && { priceFen }),
  })
  const [first, ...rest] = authors
  const reconciliation = valued && reconcile(valued.price.predictFen, price.predictFen, authors)
  const reportNo = await insertReport(tx, asked, {
    orderId: o.orderId,
    userId: o.userId,
    accountId,
    version: o.version,
    modelId: null,
    body: {
      price,
      appraiser: person(first),
      others: [...[...rest, ...others].map(person), ...before],
      risk: riskOf(asked.config, asked.answers),
      pictures,
      ...(reconciliation && { reconciliation }),
      ...(valued && { percentile: percentileOf(valued.active.model, price.predictFen) }),
      ...(revised && { revised }),
      ...(valued && { computed: computedBody(valued) }),
    },
  })
  return { reportNo, accountId }
}
