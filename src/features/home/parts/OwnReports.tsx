import { View } from '@tarojs/components'
import { useEffect } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { estimateRange } from '@/contract/format'
import { momentText } from '@/contract/timeText'
import type { Order } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { useDidReturn } from '@/router/useDidReturn'
import { copy } from '../copy'
import { movedText, quickUrl } from '../model'
import { PriceCard } from './PriceCard'

/** The user's newest report. */
function useLastReport(userId: string): Order | undefined {
  const { data, reload } = useLoad(`home-last:${userId}`, async (signal) => {
    const { list } = await api.evaluation.orderList({ tab: 'DONE' }, { quiet: 'always', signal })
    return { last: list.find(({ predictFen }) => predictFen !== undefined) }
  })
  useDidReturn(() => void reload())
  return data?.last
}

/** The user's newest report with its price and how it moved. */
export function OwnReports({ userId, onReports }: { userId: string; onReports: (has: boolean) => void }) {
  const last = useLastReport(userId)
  const hasReports = last !== undefined
  useEffect(() => onReports(hasReports), [hasReports, onReports])
  if (!last) return null
  const { orderId, gameId, gameName, title, accountName, predictFen = 0, reportedAt, createdAt } = last
  const { lowFen = predictFen, highFen = predictFen } = last
  return (
    <View className='home-samples'>
      <PriceCard
        gameId={gameId}
        title={accountName || title || gameName}
        aside={momentText(reportedAt ?? createdAt, Date.now())}
        price={{ predictFen, lowFen, highFen }}
        rank={movedText(last)}
        note={estimateRange(lowFen, highFen)}
        href={buildUrl('report', { orderId })}
        go={{ text: copy.another, href: quickUrl() }}
      />
    </View>
  )
}
