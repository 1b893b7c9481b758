import { useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { momentText } from '@/contract/timeText'
import type { Order } from '@/contract/types'
import { nav } from '@/router/nav'
import { useDidReturn } from '@/router/useDidReturn'
import { session } from '@/session/store'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Price } from '@/ui/Price/Price'
import { copy } from '../copy'

const hasReport = ({ actions, predictFen }: Order) => actions.includes('VIEW') && predictFen !== undefined

/** Link to the user's latest report; renders nothing for guests or if it cannot be loaded. */
export function LastReport() {
  const [userId, setUserId] = useState(() => session().userId)
  const { data, reload } = useLoad(`last:${userId ?? ''}`, async (signal) => {
    if (userId === undefined) return undefined
    const { list } = await api.evaluation.orderList({ tab: 'ALL' }, { quiet: true, signal })
    return list.find(hasReport)
  })
  useDidReturn(() => {
    setUserId(session().userId)
    void reload()
  })
  if (!data) return null
  const { orderId, gameId, gameName, title, predictFen, reportedAt, createdAt } = data
  return (
    <Card title={copy.lastReport} flush>
      <Cell
        lead={<GameTile gameId={gameId} />}
        title={title || gameName}
        note={momentText(reportedAt ?? createdAt, Date.now())}
        value={<Price fen={predictFen} size='s' />}
        onClick={() => void nav.to('report', { orderId })}
      />
    </Card>
  )
}
