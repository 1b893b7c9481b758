import { View } from '@tarojs/components'
import { type BandDot, type BandPrice, bandText, lanes, place, type Scale } from '@/contract/band'
import { estimate, tenthsText } from '@/contract/format'
import { a11y } from '../a11y'
import { cx } from '../cx'
import { Price } from '../Price/Price'
import './PriceBand.scss'

interface Props {
  price: BandPrice
  dots?: readonly BandDot[]
  /** `full`: with dots, ends, legend and the three prices. `small`: only band and tick, for lists */
  size?: 'full' | 'small'
  /** common scale for comparing several bands; by default the band's own range */
  scale?: Scale | undefined
  /** shows the three labelled prices under a full band; the report explains them further down */
  three?: boolean
  /** for the price card's gradient: everything is white */
  onGradient?: boolean
}

/**
 * The range of a valuation: a band for the interval, a tick for the reference price, dots for comparables (filled:
 * sold, hollow: asking), three labelled prices below. Used on report, lists and poster.
 */
export function PriceBand({ price, dots = [], size = 'full', scale, three = true, onGradient }: Props) {
  const ends = scale && {
    left: `${place(price.lowFen, scale)}%`,
    // the same formula, mirrored
    right: `${place(scale.lowFen + scale.highFen - price.highFen, scale)}%`,
  }
  const full = size === 'full'
  return (
    <View className={cx('ui-band', `ui-band--${size}`, onGradient && 'ui-band--light')}>
      <View {...a11y('img', { label: bandText(price, dots) })}>
        {full ? <Dots dots={dots} price={price} /> : null}
        <View className='ui-band__line'>
          <View className='ui-band__range' style={ends} />
          <View className='ui-band__tick' style={{ left: `${place(price.predictFen, scale ?? price)}%` }} />
        </View>
        {full ? (
          <View className='ui-band__ends'>
            <View className='ui-band__end'>{estimate(price.lowFen)}</View>
            <View className='ui-band__end'>{estimate(price.highFen)}</View>
          </View>
        ) : null}
      </View>
      {full ? <Legend dots={dots} coverage={price.coverage ?? 0.8} /> : null}
      {full && three ? <ThreePriceMarks price={price} /> : null}
    </View>
  )
}

function Dots({ dots, price }: { dots: readonly BandDot[]; price: BandPrice }) {
  if (dots.length === 0) return null
  return (
    <View className='ui-band__dots'>
      {lanes(dots, price).map(({ at, lane, kind }) => (
        <View
          key={`${at}-${lane}-${kind}`}
          className={cx('ui-band__dot', `ui-band__dot--lane${lane}`, kind === 'ASKING' && 'ui-band__dot--asking')}
          style={{ left: `${at}%` }}
        />
      ))}
    </View>
  )
}

function Legend({ dots, coverage }: { dots: readonly BandDot[]; coverage: number }) {
  const sold = dots.filter((d) => d.kind === 'SOLD').length
  const asking = dots.length - sold
  return (
    <View className='ui-band__legend'>
      <View className='ui-band__key ui-band__key--range'>{tenthsText(coverage)}成交在此区间</View>
      {sold > 0 ? <View className='ui-band__key ui-band__key--sold'>已成交 {sold}</View> : null}
      {asking > 0 ? <View className='ui-band__key ui-band__key--asking'>挂牌中 {asking}</View> : null}
    </View>
  )
}

function ThreePriceMarks({ price }: { price: BandPrice }) {
  const three = [
    { label: '快速出手价', fen: price.quickFen, main: false },
    { label: '参考成交价', fen: price.predictFen, main: true },
    { label: '建议挂牌价', fen: price.listFen, main: false },
  ].filter(({ fen }) => fen !== undefined)
  return (
    <View className='ui-band__three'>
      {three.map(({ label, fen, main }) => (
        <View key={label} className={cx('ui-band__price', main && 'ui-band__price--main')}>
          <View className='ui-band__label'>{label}</View>
          <Price fen={fen} size='m' />
        </View>
      ))}
    </View>
  )
}
