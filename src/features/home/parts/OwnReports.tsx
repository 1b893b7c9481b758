import { View } from '@tarojs/components'
import { useEffect } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { estimateRange } from '@/contract/format'
import { momentText } from '@/contract/timeText'
import type { Order, SaleFollowUp } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { useDidReturn } from '@/router/useDidReturn'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import { movedText, quickUrl } from '../model'
import { isFollowUpDue, reportToFollowUp } from '../ownReports'
import { PriceCard } from './PriceCard'

interface LastReports {
  last: Order
  /** a report whose account may have been sold */
  sale: SaleFollowUp | undefined
}

/** What home shows of the user's reports. */
function useLastReports(userId: string): LastReports | undefined {
  const { data, reload } = useLoad(`home-last:${userId}`, async (signal): Promise<LastReports | undefined> => {
    const quiet = { quiet: 'always', signal } as const
    const { list } = await api.evaluation.orderList({ tab: 'DONE' }, quiet)
    const last = list.find(({ predictFen }) => predictFen !== undefined)
    if (!last) return undefined
    const due = reportToFollowUp(list, Date.now())
    // without the answer the report is shown nevertheless
    const sale = due && (await api.sale.followUp({ orderId: due.orderId }, quiet).catch(() => undefined))
    return { last, sale: sale && isFollowUpDue(sale, Date.now()) ? sale : undefined }
  })
  useDidReturn(() => void reload())
  return data
}

/** The user's newest report with its price and how it moved, and a question about a sale. */
export function OwnReports({ userId, onReports }: { userId: string; onReports: (has: boolean) => void }) {
  const own = useLastReports(userId)
  const hasReports = own !== undefined
  useEffect(() => onReports(hasReports), [hasReports, onReports])
  if (!own) return null
  const { orderId, gameId, gameName, title, accountName, predictFen = 0, reportedAt, createdAt } = own.last
  const { lowFen = predictFen, highFen = predictFen } = own.last
  return (
    <>
      <View className='home-samples'>
        <PriceCard
          gameId={gameId}
          title={accountName || title || gameName}
          at={momentText(reportedAt ?? createdAt, Date.now())}
          price={{ predictFen, lowFen, highFen }}
          rank={movedText(own.last)}
          note={estimateRange(lowFen, highFen)}
          href={buildUrl('report', { orderId })}
          go={{ text: copy.another, href: quickUrl() }}
        />
      </View>
      {own.sale ? <SaleQuestion sale={own.sale} /> : null}
    </>
  )
}

/** Asks whether the account of a report was sold (卖出回访). */
export const SaleQuestion = ({ sale: { orderId, gameName } }: { sale: SaleFollowUp }) => (
  <Pressable className='home-notice' role='link' href={buildUrl('mineEvaluationEvaluate', { orderId, tab: 'sale' })}>
    <Icon name='trend' size='s' />
    <View className='home-notice__text'>{copy.saleTitle(gameName)}</View>
    <Icon name='chevron-right' size='s' />
  </Pressable>
)
