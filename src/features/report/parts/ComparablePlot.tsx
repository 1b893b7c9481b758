import { View } from '@tarojs/components'
import { estimate } from '@/contract/format'
import { comparableKindText } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { a11y } from '@/ui/a11y'
import { cx } from '@/ui/cx'
import { copy } from '../copy'
import { plotOf } from '../plot'
import './ComparablePlot.scss'

interface Props {
  comparables: NonNullable<Report['comparables']>
  price: Report['price']
}

/** Similarity × adjusted price around the report's range. Views, because the mini-program has no SVG elements. */
export function ComparablePlot({ comparables, price }: Props) {
  const { dots, leastSimilarity, range } = plotOf(comparables, price)
  const label = comparables
    .map(
      ({ kind, adjFen, similarity }) =>
        `${comparableKindText[kind]} ${estimate(adjFen)}，${copy.similarity(similarity)}`,
    )
    .join('；')
  return (
    <View className='rp-plot'>
      <View className='rp-plot__area' {...a11y('img', { label: copy.plotLabel(label) })}>
        <View className='rp-plot__range' style={{ bottom: `${range.low}%`, height: `${range.high - range.low}%` }} />
        <View className='rp-plot__predict' style={{ bottom: `${range.predict}%` }} />
        {dots.map(({ id, kind, x, y, stray }) => (
          <View
            key={id}
            className={cx('rp-plot__dot', kind === 'ASKING' && 'rp-plot__dot--asking', stray && 'rp-plot__dot--stray')}
            style={{ left: `${x}%`, bottom: `${y}%` }}
          />
        ))}
      </View>
      <View className='rp-plot__axis'>
        <View>{copy.similarity(leastSimilarity)}</View>
        <View>{copy.plotKey}</View>
        <View>{copy.similarity(1)}</View>
      </View>
    </View>
  )
}
