import { Text, View } from '@tarojs/components'
import { estimate } from '@/contract/format'
import {
  type ComparableDot,
  offScaleText,
  positionOn,
  priceRangeText,
  splitDots,
  stackDots,
} from '@/contract/priceRange'
import type { Report } from '@/contract/types'
import { a11y } from '@/ui/a11y'
import { cx } from '@/ui/cx'
import '@/ui/PriceRangeBar/PriceRangeBar.scss'
import { copy } from '../copy'
import './PriceRangeChart.scss'

interface Props {
  price: Report['price']
  /** adjusted to this account */
  comparables?: readonly { adjFen: number; kind: ComparableDot['kind']; closeness?: ComparableDot['closeness'] }[]
  /** an appraiser adopted the comparables; otherwise they are the most similar ones */
  adopted?: boolean
  /** number of comparable sales, of which the comparables are the most similar */
  sold?: number | undefined
  /** median days to sell at the quick and at the list price */
  days?: readonly [number, number] | undefined
  /** for the price card's gradient: everything is white */
  onGradient?: boolean
}

/**
 * The one picture of a price: a bar for the range, dots for comparables (filled: sold, hollow: asking, larger: more
 * alike), a count at an end for those beyond it, and three marks, each joined to its label.
 */
export function PriceRangeChart({ price, comparables = [], adopted, sold, days, onGradient }: Props) {
  const { dots, sold: soldDots, asking, lower, higher } = splitDots(comparables, price)
  const label =
    priceRangeText(price, dots) +
    [lower && offScaleText(lower, 'lower'), higher && offScaleText(higher, 'higher')]
      .filter(Boolean)
      .map((text) => `另有 ${text}。`)
      .join('')
  return (
    <View className={cx('ui-range', onGradient && 'ui-range--light')}>
      <View {...a11y('img', { label })}>
        {lower || higher ? (
          <View className='ui-range__off'>
            <View>{lower ? `← ${offScaleText(lower, 'lower')}` : ''}</View>
            <View>{higher ? `${offScaleText(higher, 'higher')} →` : ''}</View>
          </View>
        ) : null}
        <Dots dots={dots} price={price} />
        <View className='ui-range__line'>
          <View
            className='ui-range__range'
            style={{ transformOrigin: `${(positionOn(price.predictFen, price) - 20) / 0.6}% 50%` }}
          />
          {[price.quickFen, price.listFen].map((fen, i) => (
            <View
              key={i === 0 ? 'quick' : 'list'}
              className='ui-range__mark'
              style={{ left: `${positionOn(fen, price)}%` }}
            />
          ))}
          <View className='ui-range__tick' style={{ left: `${positionOn(price.predictFen, price)}%` }} />
        </View>
      </View>
      <ThreeLabels price={price} days={days} />
      <Legend sold={soldDots} asking={asking} which={adopted ? copy.adopted : copy.mostSimilar} of={sold} />
    </View>
  )
}

/** Diameter in design pixels. */
const SIZES = { NEAR: 12, CLOSE: 9, REFERENCE: 6 } as const

function Dots({ dots, price }: { dots: readonly ComparableDot[]; price: Report['price'] }) {
  if (dots.length === 0) return null
  const placed = stackDots(dots, price)
  const top = Math.max(...placed.map(({ row }) => row))
  return (
    <View className={`ui-range__dots ui-range__dots--${top}`}>
      {placed.map(({ at, row, kind, closeness = 'CLOSE' }) => (
        <View
          key={`${at}-${row}-${kind}`}
          className={cx(
            'ui-range__dot',
            `ui-range__dot--row${row}`,
            `ui-range__dot--${SIZES[closeness]}`,
            kind === 'ASKING' && 'ui-range__dot--asking',
          )}
          style={{ left: `${at}%` }}
        />
      ))}
    </View>
  )
}

/** Centres of the three labels, in per cent. */
const CENTRES = [50 / 3, 50, 250 / 3] as const

/** Straight line from a mark down to its label: marks and labels have the same order, so that no two lines meet. */
function Leader({ from, to }: { from: number; to: number }) {
  return (
    <View
      className={cx('ui-range__leader', from > to && 'ui-range__leader--back')}
      style={{ left: `${Math.min(from, to)}%`, width: `${Math.abs(from - to)}%` }}
    />
  )
}

/** Where the days to sell are known, they take the place of the reference price, which is the large figure above the band. */
function ThreeLabels({ price, days }: { price: Report['price']; days: Props['days'] }) {
  const { quickFen, predictFen, listFen } = price
  const middle = days
    ? { label: '预计售出', text: `${days.join('–')} 天` }
    : { label: '参考成交价', text: estimate(predictFen) }
  const three = [
    { label: '快速出手价', text: estimate(quickFen), fen: quickFen },
    { ...middle, fen: predictFen },
    { label: '建议挂牌价', text: estimate(listFen), fen: listFen },
  ]
  return (
    <>
      <View className='ui-range__leaders' {...a11y(undefined, { hidden: true })}>
        {three.map(({ label, fen }, i) => (
          <Leader key={label} from={positionOn(fen, price)} to={CENTRES[i] ?? 50} />
        ))}
      </View>
      <View className='ui-range__three'>
        {three.map(({ label, text }) => (
          <View key={label} className='ui-range__price'>
            <View className='ui-range__label'>{label}</View>
            <Text className='ui-range__figure'>{text}</Text>
          </View>
        ))}
      </View>
    </>
  )
}

interface LegendProps {
  sold: number
  asking: number
  which: string
  of: number | undefined
}

/** The dots explained; the two kinds have a key where both are drawn, or only the less usual one. */
function Legend({ sold, asking, which, of }: LegendProps) {
  if (sold + asking === 0) return null
  return (
    <>
      {asking > 0 ? (
        <View className='ui-range__legend'>
          {sold > 0 ? <View className='ui-range__key ui-range__key--sold'>{`已成交 ${sold}`}</View> : null}
          <View className='ui-range__key ui-range__key--asking'>{`挂牌 ${asking}`}</View>
        </View>
      ) : null}
      <View className='ui-range__note'>{copy.dots(which, sold, asking, of)}</View>
    </>
  )
}
