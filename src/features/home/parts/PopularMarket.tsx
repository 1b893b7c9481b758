import { View } from '@tarojs/components'
import { useEffect, useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { onNearlyVisible } from '@/platform/belowFold'

const ID = 'home-market'

/**
 * The market of the most popular game, for who has no report. Its code and figures are loaded when the user scrolls near
 * it, because a first visit has no bytes left for them.
 */
export function PopularMarket({ gameId }: { gameId: string | undefined }) {
  const [near, setNear] = useState(false)
  useEffect(() => onNearlyVisible(ID, () => setNear(true)), [])
  const wanted = near ? gameId : undefined
  const { data, error } = useLoad(`home-market:${wanted}`, async (signal) => {
    if (wanted === undefined) return undefined
    const [page, code] = await Promise.all([
      api.market.game({ gameId: wanted }, { quiet: true, signal }),
      // without network the page works without it
      import('./Market').catch(() => undefined),
    ])
    return code ? <code.Market page={page} /> : null
  })
  const waits = data === undefined && gameId !== undefined && !error
  return <View id={ID}>{waits ? <View className='home-accuracy home-accuracy--wait' /> : data}</View>
}
