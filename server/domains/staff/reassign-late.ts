import { sql } from 'kysely'
import { reassignOrder } from '../orders/admin-actions'
import { REASSIGN_LEAD_MS } from '../orders/periods'
import { forEachDueRow } from '../shared/due-rows'
import type { Job } from '../shared/job'
import { activeAppraisers } from './sessions'
import { SANDBOX_APPRAISER } from './staff'

const BATCH = 100

/**
 * Reassigns orders before their time limit: an order that its appraiser has not priced goes to another appraiser at the
 * desk. If there is none it stays, and after the limit the owner is compensated.
 */
export const reassignLate: Job = {
  name: 'orders about to be late',
  run: (deps, now) =>
    forEachDueRow(deps, now, {
      job: 'orders about to be late',
      due: (notQuarantined) =>
        deps.db
          .selectFrom('orders')
          .select(['id', 'game_id', 'appraiser_id'])
          .where('status', '=', 'ASSIGNED')
          .where('due_at', '>', now)
          .where('due_at', '<=', now + REASSIGN_LEAD_MS)
          .where('reassigned_at', 'is', null)
          // the sandbox's own appraiser delivers on its own
          .where('appraiser_id', '<>', SANDBOX_APPRAISER)
          .where(sql<boolean>`not exists (select from opinions o where o.order_id = orders.id)`)
          .where(notQuarantined(sql`orders.id`))
          .orderBy('due_at')
          .limit(BATCH)
          .execute(),
      idOf: ({ id }) => id,
      process: async ({ id: orderId, game_id, appraiser_id }) => {
        const [to] = await activeAppraisers(deps, game_id, appraiser_id ?? '', now)
        return to ? deps.db.transaction().execute((tx) => reassignOrder(tx, { orderId, to, now })) : 'LATER'
      },
    }),
}
