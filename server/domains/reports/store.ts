import { sql } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { AppraisalDetails, Report } from '@/contract/types'
import { compactChinaTime } from '../../clock'
import type { Db } from '../../db/database'
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

/** Stored body of a computed report: the whole valuation, and whether its model used generated sales. */
export type StoredReport = Omit<Valued, 'ok' | 'model'> & {
  model: Valued['model'] & { synthetic: boolean; syntheticShare?: number }
  changed?: Report['changed']
}

export type Person = NonNullable<Report['appraiser']>

/** What the price of an expert report has deducted for an item of binding, and what it gains by mending it first. */
export interface BindingInPrice {
  item: NonNullable<AppraisalDetails['binding']>[number]['item']
  deductedFen: number
  /** the part of it that stands in no line of the price; absent in reports of older releases */
  beyondLinesFen?: number
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
  /** absent in reports of older releases */
  bindingInPrice?: BindingInPrice[]
  /** of an expert order's later version: appraisers of the previous version who took no part in this one, unchanged */
  earlier?: Person[]
  risk: Valued['risk']
  /** number of pictures that the appraisers had, absent in reports of older releases */
  pictures?: number
  reconciliation?: Report['reconciliation']
  /** rank of the price among the game's sales, absent without a model and in reports of older releases */
  percentile?: number
  revised?: Report['revised']
  /** reports delivered before the model's report was included have price and confidence only */
  computed?: Pick<Valued, 'price' | 'confidence'> & Partial<StoredReport>
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
  const body = JSON.stringify(r.body)
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

/** Notice about generated sales behind the price. */
const syntheticOf = ({ synthetic, syntheticShare }: Pick<ActiveModel, 'synthetic' | 'syntheticShare'>) => ({
  synthetic,
  ...(synthetic && syntheticShare !== null && { syntheticShare }),
})

/** Stores the report of a model valuation, locked. @returns its number */
export function storeComputed(
  tx: Db,
  asked: ValuationRequest,
  { valued, active, changed, ...of }: Computed,
): Promise<string> {
  const { ok: _, model, ...rest } = valued
  return insertReport(tx, asked, {
    ...of,
    version: 1,
    status: 'LOCKED',
    modelId: active.id,
    predictFen: valued.price.predictFen,
    body: { ...rest, model: { ...model, ...syntheticOf(active) }, ...(changed && { changed }) },
  })
}

type AppraiserPrice = {
  name: string
  no: string
  years: number
  comment: string
  priceFen: number
  details: AppraisalDetails | null
}
const personOf = ({ name, no, years, comment, details }: AppraiserPrice): Person => ({
  ...{ name, no, years, comment },
  ...(details && { work: details }),
})

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

/** The model's valuation as the body of its own report. */
const computedBody = ({ ok: _, model, active, ...rest }: NonNullable<AppraisedPrice['valued']>): StoredReport => ({
  ...rest,
  model: { ...model, ...syntheticOf(active) },
})

/** Stores the report of a manual valuation, unlocked for its owner. @returns its number and the account's id */
export async function storeAppraisedReport(
  tx: Db,
  asked: ValuationRequest,
  o: AppraisedPrice,
): Promise<{ reportNo: string; accountId: string }> {
  const { accountId } = await accountOf(tx, o.userId, asked.config, asked.answers)
  const { priceFen, first, second, third, planAuthor, bindingInPrice, earlier = [], pictures, revised, valued } = o
  const people = [first, second, third].filter((one) => one !== undefined)
  const person = (one: AppraiserPrice): Person => ({ ...personOf(one), ...(second && { priceFen: one.priceFen }) })
  const price = combinedPrice(priceFen, people, planAuthor)
  const plan = second && combinePlans(price, planAuthor ? [planAuthor] : people)
  const sales = valued?.comparables ?? []
  const decision = decisionOf(priceFen, people, planAuthor, sales)
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
      ...(plan && { joint: { ...plan, ...(decision && { decision }), differences: differencesOf(people, sales) } }),
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
