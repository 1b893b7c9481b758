import { sql } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { Report } from '@/contract/types'
import { chinaTime } from '../../clock'
import type { Db } from '../../db/database'
import { riskOf } from '../../engine/advice'
import type { AnswerSource, Valued } from '../../engine/types'
import { accountOf } from '../games/account-identity'
import type { ActiveModel } from '../models/repository'
import { randomReadable, sha256 } from '../shared/secrets'
import { REPORT_VALID_FOR } from './validity'

/** Stored body of a computed report: the whole valuation, and whether its model used generated sales. */
export type StoredReport = Omit<Valued, 'ok' | 'model'> & {
  model: Valued['model'] & { synthetic: boolean }
  changed?: Report['changed']
}

/** Stored body of a manual report: one price, and the model's valuation at that time. */
export interface StoredOpinion {
  price: Pick<Report['price'], 'predictFen' | 'lowFen' | 'highFen'>
  appraiser: NonNullable<Report['appraiser']>
  /** for an expert order, whose price comes from two appraisers */
  second?: NonNullable<Report['second']>
  risk: Valued['risk']
  computed?: Pick<Valued, 'price' | 'confidence'>
}

/** A validated request for a valuation. */
export interface Asked {
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
  body: StoredReport | StoredOpinion
}

/** Stores the current form once, under its digest. */
async function keepForm(tx: Db, config: FormConfig): Promise<string> {
  const text = JSON.stringify(config)
  const digest = sha256(text)
  const known = await tx.selectFrom('form_configs').select('digest').where('digest', '=', digest).executeTakeFirst()
  if (!known)
    await tx
      .insertInto('form_configs')
      .values({ digest, config: text })
      .onConflict((c) => c.doNothing())
      .execute()
  return digest
}

/** Stores a report. @returns its number */
async function insertReport(tx: Db, { config, answers, source, now }: Asked, r: NewReport): Promise<string> {
  const form = await keepForm(tx, config)
  const body = JSON.stringify(r.body)
  for (;;) {
    const row = await tx
      .insertInto('reports')
      .values({
        report_no: `GZ${chinaTime(now).day}-${randomReadable(6)}`,
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
        valid_until: now + REPORT_VALID_FOR,
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

/** Stores the report of a model valuation, locked. @returns its number */
export function storeComputed(tx: Db, asked: Asked, { valued, active, changed, ...of }: Computed): Promise<string> {
  const { ok: _, model, ...rest } = valued
  return insertReport(tx, asked, {
    ...of,
    version: 1,
    status: 'LOCKED',
    modelId: active.id,
    predictFen: valued.price.predictFen,
    body: { ...rest, model: { ...model, synthetic: active.synthetic }, ...(changed && { changed }) },
  })
}

type Spoken = { name: string; no: string; years: number; comment: string; priceFen: number }
const appraiserOf = ({ name, no, years, comment }: Spoken) => ({ name, no, years, comment })

export interface Opinion {
  orderId: string
  userId: string
  /** starts at 1, incremented by each later opinion on the same order */
  version: number
  priceFen: number
  /** for an expert order: the lower and the higher of the two opinions */
  lowFen?: number
  highFen?: number
  first: Spoken
  second?: Spoken
  /** the model's valuation of the same answers, if any */
  valued?: Valued
}

/** Stores the report of a manual valuation, unlocked for its owner. @returns its number */
export async function storeOpinion(tx: Db, asked: Asked, o: Opinion): Promise<string> {
  const { accountId } = await accountOf(tx, o.userId, asked.config, asked.answers)
  const { priceFen, lowFen = priceFen, highFen = priceFen, first, second, valued } = o
  const both = second && {
    appraiser: { ...appraiserOf(first), priceFen: first.priceFen },
    second: { ...appraiserOf(second), priceFen: second.priceFen },
  }
  return insertReport(tx, asked, {
    orderId: o.orderId,
    userId: o.userId,
    accountId,
    version: o.version,
    status: 'UNLOCKED',
    modelId: null,
    predictFen: priceFen,
    body: {
      price: { predictFen: priceFen, lowFen, highFen },
      ...(both ?? { appraiser: appraiserOf(first) }),
      risk: riskOf(asked.config, asked.answers),
      ...(valued && { computed: { price: valued.price, confidence: valued.confidence } }),
    },
  })
}
