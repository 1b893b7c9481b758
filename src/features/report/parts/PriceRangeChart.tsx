import { Text, View } from '@tarojs/components'
import { estimate } from '@/contract/format'
import { dotsOf, positionOn, priceRangeText, stackDots } from '@/contract/priceRange'
import type { Report } from '@/contract/types'
import { a11y } from '@/ui/a11y'
import { cx } from '@/ui/cx'
import '@/ui/PriceRangeBar/PriceRangeBar.scss'
import { type PriceLabel, priceLabels } from '../priceLabels'
import './PriceRangeChart.scss'

interface Props {
  price: Report['price']
  /** adjusted to this account */
  comparables: readonly { adjFen: number; kind: 'SOLD' | 'ASKING' }[]
  /** median days to sell at the quick and at the list price */
  days?: readonly [number, number] | undefined
  /** the range is too wide for prices within it */
  wide?: boolean
}

/**
 * The one picture of a price, on the card's gradient: a bar for the range, dots for comparables (filled: sold, hollow:
 * asking), and the three prices under their ticks.
 */
export function PriceRangeChart({ price, comparables, days, wide = false }: Props) {
  const dots = dotsOf(comparables, price)
  const placed = stackDots(dots, price)
  const top = Math.max(0, ...placed.map(({ row }) => row))
  const labels = wide ? [] : priceLabels(price, days)
  return (
    <View className='ui-range ui-range--light'>
      <View {...a11y('img', { label: priceRangeText(price, dots) })}>
        <View className={`ui-range__dots ui-range__dots--${top}`}>
          {placed.map(({ place, row, kind }) => (
            <View
              key={`${place}-${row}-${kind}`}
              className={cx('ui-range__dot', `ui-range__dot--row${row}`, kind === 'ASKING' && 'ui-range__dot--asking')}
              style={{ left: `${place}%` }}
            />
          ))}
        </View>
        <View className='ui-range__line'>
          <View
            className='ui-range__range'
            style={{ transformOrigin: `${(positionOn(price.predictFen, price) - 20) / 0.6}% 50%` }}
          />
          {wide ? null : <Ticks price={price} />}
        </View>
      </View>
      {labels.length > 0 ? (
        <View className={cx('ui-range__labels', days && 'ui-range__labels--days')}>
          {labels.map((label) => (
            <PriceUnderTick key={label.name} {...label} />
          ))}
        </View>
      ) : null}
    </View>
  )
}

const Ticks = ({ price }: Pick<Props, 'price'>) => (
  <>
    {[price.quickFen, price.listFen].map((fen, i) => (
      <View
        key={i === 0 ? 'quick' : 'list'}
        className='ui-range__mark'
        style={{ left: `${positionOn(fen, price)}%` }}
      />
    ))}
    <View className='ui-range__tick' style={{ left: `${positionOn(price.predictFen, price)}%` }} />
  </>
)

const PriceUnderTick = ({ name, from, to, days, place, side }: PriceLabel) => (
  <View className={`ui-range__price ui-range__price--${side}`} style={{ left: `${place}%` }}>
    <View className='ui-range__label'>{name}</View>
    <Text className='ui-range__figure'>
      {from === to ? estimate(from) : `${estimate(from)}–${estimate(to).slice(1)}`}
    </Text>
    {days === undefined ? null : <View className='ui-range__label'>{`约 ${days} 天`}</View>}
  </View>
)
