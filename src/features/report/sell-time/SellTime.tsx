import { View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { estimate } from '@/contract/format'
import type { SellTimes } from '@/contract/types'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { cx } from '@/ui/cx'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from './copy'
import './SellTime.scss'

/**
 * Prices from quick sale to suggested listing as stops of a slider, and how long such accounts take to sell at the
 * chosen one. Stops are buttons: the host's slider costs more than the rest of the card.
 */
export function SellTimeSlider({ n, points }: SellTimes) {
  const [chosen, setChosen] = useState(Math.floor(points.length / 2))
  const point = points[chosen]
  if (!point) return null
  return (
    <Card title={copy.title} extra={copy.basis(n)}>
      <View className='sell-time__answer' {...a11y('status')}>
        {copy.answer(estimate(point.priceFen), point.days)}
      </View>
      <View className='sell-time__track' {...a11y('radiogroup', { label: copy.title })}>
        {points.map(({ priceFen }, k) => (
          <Pressable
            key={priceFen}
            className='sell-time__stop'
            role='radio'
            label={estimate(priceFen)}
            checked={k === chosen}
            onClick={() => setChosen(k)}
          >
            <View className={cx('sell-time__line', k <= chosen && 'sell-time__line--on')} />
            {k === chosen ? <View className='sell-time__knob' /> : null}
          </Pressable>
        ))}
      </View>
      <View className='sell-time__ends'>
        <View>{copy.quick}</View>
        <View>{copy.list}</View>
      </View>
    </Card>
  )
}

/** Loads its data itself; shows nothing where too few sales of the game recorded their time to sell. */
export function SellTime({ orderId }: { orderId: string }) {
  const { data } = useLoad(`sell-times:${orderId}`, (signal) =>
    api.market.sellTimes({ orderId }, { quiet: true, signal }),
  )
  return data && data.points.length > 0 ? <SellTimeSlider {...data} /> : null
}
