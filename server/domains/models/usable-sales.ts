/** The sales that figures are computed from, with their owners. */
import type { Selectable } from 'kysely'
import type { Db } from '../../db/database'
import type { Sales } from '../../db/tables'
import type { Owned } from './owner-shares'

/** Sales of a game, with the partner that sent them: without those of a partner whose level has moved, until staff decide. */
export const usableSales = (db: Db, gameId: string) =>
  db
    .selectFrom('sales')
    .leftJoin('partner_sources', (join) =>
      join.onRef('partner_sources.source', '=', 'sales.source').on('sales.channel', '=', 'PARTNER'),
    )
    .leftJoin('partners', 'partners.partner_id', 'partner_sources.partner_id')
    .where('sales.game_id', '=', gameId)
    .where('partners.moved_level', 'is', null)

type Row = Pick<Selectable<Sales>, 'channel' | 'source' | 'reporter' | 'device'> & { partner_id: string | null }

/** Whose sale it is. One that came from a partner before its source belonged to any counts as that source's. */
export const ownerOf = ({ channel, source, partner_id, reporter, device }: Row): Owned => ({
  channel,
  ...(channel === 'PARTNER' && { partner: partner_id ?? source }),
  ...(reporter !== null && { reporter }),
  ...(device !== null && { device }),
})
