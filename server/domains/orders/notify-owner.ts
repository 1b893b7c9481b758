import { RECORDS_PAGE } from '@/contract/pages'
import type { Db } from '../../db/database'
import { type NewMessage, notify } from '../accounts/notifications/send'
import { pageLink } from '../shared/page-link'

interface Notice extends Pick<NewMessage, 'title' | 'summary' | 'now'> {
  type?: NewMessage['type']
  bizType?: 'ORDER' | 'REFUND'
  /** the records' tab that lists the order now */
  tab?: 'ALL' | 'REFUND'
}

/** Notifies the owner by a message that opens the records with this order on top: number, reason, progress of a refund. */
export const notifyOwner = (
  tx: Db,
  { id: bizId, user_id: userId }: { id: string; user_id: string },
  { type = 'SYSTEM', bizType = 'ORDER', tab = 'ALL', ...notice }: Notice,
): Promise<void> =>
  notify(tx, { ...notice, type, bizType, bizId, userId, link: pageLink(RECORDS_PAGE, { tab, orderId: bizId }) })
