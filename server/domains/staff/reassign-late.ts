import { sql } from 'kysely'
import { MINUTE_MS } from '@/contract/time'
import type { Deps } from '../../core/context'
import { assignUntaken, reassignOrder } from '../orders/appraising/admin-actions'
import { AT_WORK_PERIOD_MS, LAST_REASSIGN_LEAD_MS, REASSIGN_LEAD_MS } from '../orders/periods'
import { rowsJob } from '../shared/due-rows'
import { activeAppraisers, isActiveFor } from './sessions'
import { SANDBOX_APPRAISER } from './staff'

const BATCH = 100

interface DueOrder {
  id: string
  game_id: string
  status: string
  appraiser_id: string | null
}

/** Who must not get an order: its appraiser, and those who have given one of the prices of an expert order. */
async function exceptFor({ db }: Deps, { id, status, appraiser_id }: DueOrder): Promise<string[]> {
  const given = await db.selectFrom('appraisals').select('staff_id').where('order_id', '=', id).execute()
  const authors = status === 'ASSIGNED' ? given.map((appraisal) => appraisal.staff_id) : []
  return [...(appraiser_id ? [appraiser_id] : []), ...authors]
}

/** SQL over `orders`: somebody whose price is awaited has lately estimated or saved a draft. */
const isWorkedOn = (now: number) => sql<boolean>`exists (select from appraisal_drafts e where e.order_id = orders.id
  and greatest(e.blind_at, e.draft_at) > ${now - AT_WORK_PERIOD_MS}::bigint and not exists (select from appraisals o
    where o.order_id = orders.id and o.staff_id = e.staff_id and orders.status = 'ASSIGNED'))`

/**
 * Hands orders on before their time limit to another appraiser at the desk: one that nobody took, one whose price or
 * revaluation is awaited, and an expert order that waits for another price; one that is worked on only shortly before the
 * limit. If there is nobody it stays, and after the limit the owner is compensated.
 */
export const reassignLate = rowsJob({ name: 'orders about to be late', every: MINUTE_MS }, (deps, now) => ({
  due: (notQuarantined) =>
    deps.db
      .selectFrom('orders')
      .select(['id', 'game_id', 'status', 'appraiser_id'])
      .where('mode', '=', 'MANUAL')
      .where('status', 'in', ['PAID', 'ASSIGNED', 'REVALUING'])
      .where('due_at', '>', now)
      .where('due_at', '<=', now + REASSIGN_LEAD_MS)
      .where((e) => e.or([e('due_at', '<=', now + LAST_REASSIGN_LEAD_MS), sql<boolean>`not ${isWorkedOn(now)}`]))
      .where('reassigned_at', 'is', null)
      // the sandbox's own appraiser delivers on its own
      .where(sql<boolean>`appraiser_id is distinct from ${SANDBOX_APPRAISER}`)
      // only orders that somebody can take: the others must not fill the batch
      .where(sql<boolean>`exists (select from staff where ${isActiveFor(deps, sql`orders.game_id`, now)}
        and staff.staff_id is distinct from orders.appraiser_id and not exists (select from appraisals o
          where o.order_id = orders.id and o.staff_id = staff.staff_id and orders.status = 'ASSIGNED'))`)
      .where(notQuarantined(sql`orders.id`))
      .orderBy('due_at')
      .limit(BATCH)
      .execute(),
  idOf: ({ id }) => id,
  process: async (order) => {
    const { id: orderId, status, game_id } = order
    const [to] = await activeAppraisers(deps, game_id, await exceptFor(deps, order), now)
    if (!to) return false
    const handOn = status === 'PAID' ? assignUntaken : reassignOrder
    return deps.db.transaction().execute((tx) => handOn(tx, { orderId, to, now }))
  },
}))
