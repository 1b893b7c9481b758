/** The sources under which partners send their sales: each belongs to the first partner that sends it. */
import type { Deps } from '../../../core/context'
import { lockName } from '../../shared/locks'
import { canonicalName, isReservedName } from '../import/check-sale'

/** distinct sources of one partner: bounds what a call reads */
const MAX_SOURCES = 50

/**
 * Claims sources for the partner, if it is the first to send them in any writing, and no import or form of ours uses them.
 * @returns by source, why its rows are refused
 */
export function claimSources(db: Deps['db'], partnerId: string, sources: ReadonlySet<string>) {
  return db.transaction().execute(async (tx) => {
    await lockName(tx, 'partner sources')
    const owned = await tx.selectFrom('partner_sources').selectAll().execute()
    const mine = new Set(owned.flatMap(({ source, partner_id }) => (partner_id === partnerId ? source : [])))
    const theirs = owned.filter(({ partner_id }) => partner_id !== partnerId)
    const taken = new Set(theirs.map(({ source }) => canonicalName(source)))
    const refused = new Map<string, string>()
    for (const source of sources) {
      if (mine.has(source)) continue
      const used = tx.selectFrom('sales').select('id').where('source', '=', source).where('channel', '<>', 'PARTNER')
      if (isReservedName(source)) refused.set(source, `source 不能是“${source.slice(0, 40)}”：它由系统使用`)
      else if (taken.has(canonicalName(source)) || (await used.limit(1).executeTakeFirst()))
        refused.set(source, `source“${source.slice(0, 40)}”属于另一个合作方或我们的导入`)
      else if (mine.size >= MAX_SOURCES) refused.set(source, `一个合作方最多 ${MAX_SOURCES} 个 source，请沿用已有的`)
      else {
        await tx.insertInto('partner_sources').values({ source, partner_id: partnerId }).execute()
        mine.add(source)
      }
    }
    return refused
  })
}
