/** The sources under which partners send their sales. */
import { type Selectable, sql } from 'kysely'
import type { Deps } from '../../../core/context'
import type { PartnerSources } from '../../../db/tables'
import { lockName } from '../../shared/locks'
import { canonicalName, isConfusable } from '../import/check-sale'

/** distinct sources of one partner */
const MAX_SOURCES = 50
/** Our own channels and roles, without separators: no partner may pose as one of them. */
const RESERVED = new Set([
  'appraiser',
  'desk',
  'followup',
  'import',
  'listing',
  'official',
  'partner',
  'pastedlisting',
  'staff',
  'synthetic',
  ...['导入', '卖出回访', '回访', '估价师', '官方', '工作台', '合成', '合作方', '挂牌', '粘贴'],
])
/** Whether a name of a partner or of a source would be taken for one of ours. */
export const isReservedName = (name: string): boolean =>
  isConfusable(name) || RESERVED.has(canonicalName(name).replace(/[\s\p{P}]+/gu, ''))

/** For messages. */
const short = (source: string) => source.slice(0, 40)

type Owned = Selectable<PartnerSources>

/** Why a partner may not begin to send under a name. @param same what is sent under the same name, written in any way */
function whyNotNew({ source, partner_id }: Owned, same: Owned | undefined, ownCount: number): string | undefined {
  if (same?.partner_id === partner_id)
    return `source“${short(source)}”与您已用的“${short(same.source)}”只有写法不同：请沿用后者`
  if (same) return `source“${short(source)}”属于另一个合作方`
  if (isReservedName(source)) return `source 不能是“${short(source)}”：它由系统使用`
  return ownCount >= MAX_SOURCES
    ? `source“${short(source)}”不能新增：一个合作方最多 ${MAX_SOURCES} 个 source，请沿用已有的，或与我们联系`
    : undefined
}

/**
 * Claims sources for the partner, if it is the first to send them.
 * @returns by source, why its rows are refused
 */
export async function claimSources(
  db: Deps['db'],
  partnerId: string,
  sources: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const refused = new Map<string, string>()
  const mine = await db.selectFrom('partner_sources').select('source').where('partner_id', '=', partnerId).execute()
  const known = new Set(mine.map(({ source }) => source))
  const fresh = [...sources].filter((source) => !known.has(source))
  if (fresh.length === 0) return refused
  await db.transaction().execute(async (tx) => {
    await lockName(tx, 'partner sources')
    const owned = await tx.selectFrom('partner_sources').selectAll().execute()
    const byName = new Map(owned.map((one) => [canonicalName(one.source), one]))
    let ownCount = owned.filter(({ partner_id }) => partner_id === partnerId).length
    // under which an import or a form of ours has stored sales
    const { rows: used } = await sql<{ source: string }>`
      select source from unnest(${fresh}::text[]) as f(source)
      where exists (select from sales s where s.source = f.source and s.channel <> 'PARTNER')`.execute(tx)
    const taken = new Set(used.map(({ source }) => source))
    for (const source of fresh) {
      const row = { source, partner_id: partnerId }
      const name = canonicalName(source)
      const same = byName.get(name)
      // another call of the partner has claimed it meanwhile
      if (same?.source === source && same.partner_id === partnerId) continue
      const isTaken = taken.has(source) && `source“${short(source)}”已由我们的导入使用`
      const reason = isTaken || whyNotNew(row, same, ownCount)
      if (reason) refused.set(source, reason)
      else {
        await tx.insertInto('partner_sources').values(row).execute()
        byName.set(name, row)
        ownCount += 1
      }
    }
  })
  return refused
}
