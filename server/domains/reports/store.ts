import { type Selectable, sql } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { AppraisalDetails, Report } from '@/contract/types'
import { AppError } from '../../app-error'
import { compactChinaTime } from '../../clock'
import type { Db } from '../../db/database'
import type { Reports } from '../../db/tables'
import { riskOf } from '../../engine/advice'
import type { AnswerSource, Valued } from '../../engine/types'
import { percentileOf } from '../../engine/valuate'
import { accountOf } from '../games/account-identity'
import type { ActiveModel } from '../models/repository'
import { randomReadable, sha256 } from '../shared/secrets'
import { combinePlans, decisionOf, differencesOf } from './combined-plan'
import { combinedPrice } from './combined-price'
import { reconcile } from './reconciliation'
import { reportValidUntil } from './validity'

/** incremented when reports stored earlier can no longer be read; a report of another format is refused */
export const REPORT_FORMAT = 1

/** Stored body of a computed report: the whole valuation, and whether its model used generated sales. */
export type StoredReport = Omit<Valued, 'ok' | 'model'> & {
  model: Valued['model'] & Pick<ActiveModel, 'synthetic' | 'syntheticShare'>
  changed?: Report['changed']
}

export type Person = NonNullable<Report['appraiser']>

/** What the price of an expert report has deducted for an item of binding, and what it gains by mending it first. */
export interface BindingInPrice {
  item: NonNullable<AppraisalDetails['binding']>[number]['item']
  deductedFen: number
  /** the part of it that stands in no line of the price */
  beyondLinesFen: number
  gainFen: number
}

/** Stored body of a manual report: the prices and details of its appraisals, and the model's whole report at that time. */
export interface StoredAppraisal {
  price: Report['price']
  appraiser: Person
  /** for an expert order, whose price is set by two appraisers, or by three where two differed too much */
  second?: Person
  third?: Person
  joint?: Report['joint']
  /** where somebody decided the price: their comment */
  decidedBecause?: string
  /** of an expert order */
  bindingInPrice?: BindingInPrice[]
  /** of an expert order's later version: appraisers of the previous version who took no part in this one, unchanged */
  earlier?: Person[]
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

/** The stored body of a report. @throws AppError SERVICE_UNAVAILABLE for one of another format */
export function reportBody({ body }: WithBody): StoredReport | StoredAppraisal {
  if (body.format !== REPORT_FORMAT)
    throw new AppError('SERVICE_UNAVAILABLE', { msg: '这份报告由其他版本的系统出具，现在打不开，请稍后再试或联系客服' })
  return body as unknown as StoredReport | StoredAppraisal
}

/** The stored body of a computed report; undefined for one that is not computed or of another format. */
export function computedBodyOf(row: WithBody): StoredReport | undefined {
  const body = row.body.format === REPORT_FORMAT ? reportBody(row) : undefined
  return body && 'breakdown' in body ? body : undefined
}

/** A validated request for a valuation. */
export interface ValuationRequest {
  config: FormConfig
  answers: Answers
  source: AnswerSource
  /** ms */
  now: number
}

interface NewReport {
  orderId: string
  userId: string
  accountId: string
  version: number
  status: 'LOCKED' | 'UNLOCKED'
  modelId: number | null
  predictFen: number
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

/** Stores a report. @returns its number */
async function insertReport(tx: Db, { config, answers, source, now }: ValuationRequest, r: NewReport): Promise<string> {
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
        status: r.status,
        model_id: r.modelId,
        inputs: JSON.stringify({ answers, source, now, form }),
        body,
        digest: sql`encode(sha256(convert_to(${body}::jsonb::text, 'UTF8')), 'hex')`,
        predict_fen: r.predictFen,
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
    status: 'LOCKED',
    modelId: active.id,
    predictFen: valued.price.predictFen,
    body: { ...computedBody({ ...valued, active }), ...(changed && { changed }) },
  })
}

type AppraiserPrice = {
  name: string
  no: string
  years: number
  comment: string
  priceFen: number
  details: AppraisalDetails
}
export interface AppraisedPrice {
  orderId: string
  userId: string
  /** starts at 1, incremented by each later report of the same order */
  version: number
  priceFen: number
  first: AppraiserPrice
  second?: AppraiserPrice
  third?: AppraiserPrice
  /** whose appraisal is written for `priceFen` */
  planAuthor?: AppraiserPrice
  bindingInPrice?: BindingInPrice[]
  earlier?: Person[]
  /** number of pictures that the appraisers had */
  pictures: number
  /** of a later version */
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
  const { priceFen, first, second, third, planAuthor, bindingInPrice, earlier = [], pictures, revised, valued } = o
  const people = [first, second, third].filter((one) => one !== undefined)
  const person = ({ details: work, priceFen: ownFen, ...one }: AppraiserPrice): Person => ({
    ...{ name: one.name, no: one.no, years: one.years, comment: one.comment, work },
    ...(second && { priceFen: ownFen }),
  })
  const price = combinedPrice(priceFen, people, planAuthor)
  const plan = second && combinePlans(price, planAuthor ? [planAuthor] : people)
  const sales = valued?.comparables ?? []
  const decision = second && decisionOf(priceFen, [first, second, third], planAuthor, sales)
  const reconciliation =
    valued && reconcile(valued.price.predictFen, priceFen, planAuthor ? [planAuthor] : people, bindingInPrice)
  const reportNo = await insertReport(tx, asked, {
    orderId: o.orderId,
    userId: o.userId,
    accountId,
    version: o.version,
    status: 'UNLOCKED',
    modelId: null,
    predictFen: priceFen,
    body: {
      price,
      appraiser: person(first),
      ...(second && { second: person(second) }),
      ...(third && { third: person(third) }),
      ...(plan && decision && { joint: { ...plan, decision, differences: differencesOf(people, sales) } }),
      ...(planAuthor && { decidedBecause: planAuthor.comment }),
      ...(bindingInPrice && { bindingInPrice }),
      ...(earlier.length > 0 && { earlier }),
      risk: riskOf(asked.config, asked.answers),
      pictures,
      ...(reconciliation && { reconciliation }),
      ...(valued && { percentile: percentileOf(valued.active.model, priceFen) }),
      ...(revised && { revised }),
      ...(valued && { computed: computedBody(valued) }),
    },
  })
  return { reportNo, accountId }
}
