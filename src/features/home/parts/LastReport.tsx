import { View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { estimate } from '@/contract/format'
import { momentText } from '@/contract/timeText'
import { nav } from '@/router/nav'
import { useDidReturn } from '@/router/useDidReturn'
import { session } from '@/session/store'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import { movedText } from '../model'

/**
 * The user's newest report, and how the price of its account moved; nothing for guests. The tab stays mounted while
 * the user logs in and gets a report, so it loads again when it is shown again.
 */
export function LastReport() {
  const [userId, setUserId] = useState(() => session().userId)
  const { data, reload } = useLoad(`home-last:${userId ?? ''}`, async (scope) => {
    if (userId === undefined) return undefined
    const { list } = await api.evaluation.orderList({ tab: 'DONE' }, { quiet: 'always', scope })
    return list.find(({ predictFen }) => predictFen !== undefined)
  })
  useDidReturn(() => {
    setUserId(session().userId)
    void reload()
  })
  if (!data) return null
  const { orderId, gameId, gameName, title, accountName, predictFen, reportedAt, createdAt } = data
  const when = momentText(reportedAt ?? createdAt, Date.now())
  const moved = movedText(data)
  return (
    <Pressable className='home-go' role='link' onClick={() => void nav.to('report', { orderId })}>
      <GameTile gameId={gameId} />
      <View className='home-go__body'>
        <View className='home-go__title'>{accountName || title || gameName}</View>
        <View className='home-go__note'>{[`${copy.lastReport} ${when}`, moved].filter(Boolean).join(' · ')}</View>
      </View>
      <View className='home-go__act'>{estimate(predictFen)}</View>
    </Pressable>
  )
}
