import { View } from '@tarojs/components'
import { type ReactNode, useEffect } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { estimate } from '@/contract/format'
import { momentText } from '@/contract/timeText'
import type { MarketPage, Order, SaleFollowUp } from '@/contract/types'
import { nav } from '@/router/nav'
import { useDidReturn } from '@/router/useDidReturn'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import { movedText } from '../model'
import { isFollowUpDue, reportToFollowUp } from '../ownReports'
import { Market } from './Market'

interface LastReports {
  last: Order
  /** a report whose account may have been sold */
  sale: SaleFollowUp | undefined
  /** of the newest report's game */
  market: MarketPage | undefined
}

/** What home shows of the user's reports. */
function useLastReports(userId: string): { own: LastReports | undefined; loading: boolean } {
  const { data, loading, reload } = useLoad(`home-last:${userId}`, async (signal): Promise<LastReports | undefined> => {
    const quiet = { quiet: 'always', signal } as const
    const { list } = await api.evaluation.orderList({ tab: 'DONE' }, quiet)
    const last = list.find(({ predictFen }) => predictFen !== undefined)
    if (!last) return undefined
    const dueOrder = reportToFollowUp(list, Date.now())
    // without either the report is shown nevertheless
    const [sale, market] = await Promise.all([
      dueOrder && api.sale.followUp({ orderId: dueOrder.orderId }, quiet).catch(() => undefined),
      api.market.game({ gameId: last.gameId }, quiet).catch(() => undefined),
    ])
    return { last, sale: sale && isFollowUpDue(sale, Date.now()) ? sale : undefined, market }
  })
  useDidReturn(() => void reload())
  return { own: data, loading }
}

/** The user's newest report, a question about a sale, and the market of the newest report's game. */
export function OwnReports({ userId, onReports }: { userId: string; onReports: (has: boolean) => void }) {
  const { own, loading } = useLastReports(userId)
  const hasReports = own !== undefined
  useEffect(() => {
    if (hasReports || !loading) onReports(hasReports)
  }, [hasReports, loading, onReports])
  if (!own) return null
  return (
    <>
      {own.sale ? <SaleQuestion sale={own.sale} /> : null}
      <LastReport report={own.last} />
      {own.market ? <Market page={own.market} /> : null}
    </>
  )
}

interface RowProps {
  gameId: string
  title: string
  note: string
  action: ReactNode
  onClick: () => void
}

function ReportRow({ gameId, title, note, action, onClick }: RowProps) {
  return (
    <Pressable className='home-go' role='link' onClick={onClick}>
      <GameTile gameId={gameId} />
      <View className='home-go__body'>
        <View className='home-go__title'>{title}</View>
        <View className='home-go__note'>{note}</View>
      </View>
      <View className='home-go__act'>{action}</View>
    </Pressable>
  )
}

/** The user's newest report, and how the price of its account moved. */
function LastReport({ report }: { report: Order }) {
  const { orderId, gameId, gameName, title, accountName, predictFen, reportedAt, createdAt } = report
  const when = momentText(reportedAt ?? createdAt, Date.now())
  return (
    <ReportRow
      gameId={gameId}
      title={accountName || title || gameName}
      note={[`${copy.lastReport} ${when}`, movedText(report)].filter(Boolean).join(' · ')}
      action={estimate(predictFen)}
      onClick={() => void nav.to('report', { orderId })}
    />
  )
}

/** Asks whether the account of a report was sold (卖出回访). */
export function SaleQuestion({ sale: { orderId, gameId, gameName } }: { sale: SaleFollowUp }) {
  const action = (
    <>
      {copy.saleGo}
      <Icon name='chevron-right' size='s' />
    </>
  )
  return (
    <ReportRow
      gameId={gameId}
      title={copy.saleTitle(gameName)}
      note={copy.saleNote}
      action={action}
      onClick={() => void nav.to('mineEvaluationEvaluate', { orderId, tab: 'sale' })}
    />
  )
}
