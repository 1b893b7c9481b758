import { View } from '@tarojs/components'
import { estimate } from '@/contract/format'
import { closenessText, comparableKindText } from '@/contract/labels'
import type { Report } from '@/contract/types'
import { a11y } from '@/ui/a11y'
import { cx } from '@/ui/cx'
import { copy } from '../copy'
import { plotOf } from '../plot'
import type { ComparableRow } from '../useReprice'
import './ComparablePlot.scss'

interface Props {
  rows: readonly ComparableRow[]
  price: Report['price']
}

/**
 * Closeness × adjusted price around the report's range. The dots of rejected comparables leave where they are.
 * Views, because the mini-program has no SVG elements.
 */
export function ComparablePlot({ rows, price }: Props) {
  const { dots, range, scale } = plotOf(
    rows.map(({ one }) => one),
    price,
  )
  const kept = rows.flatMap(({ one, out }) => (out ? [] : [one]))
  const label = kept
    .map(
      ({ kind, adjFen, closeness }) => `${comparableKindText[kind]} ${estimate(adjFen)}，${closenessText[closeness]}`,
    )
    .join('；')
  const isKept = (id: string) => kept.some((one) => one.id === id)
  const beyond = (side: 'lower' | 'higher') => {
    const strays = kept.filter(({ id }) => dots.some((dot) => dot.id === id && dot.stray === side))
    return strays.length > 0 ? (
      <View className='rp-plot__beyond'>{copy.plotBeyond[side](strays.map(({ adjFen }) => estimate(adjFen)))}</View>
    ) : null
  }
  return (
    <View className='rp-plot'>
      {beyond('higher')}
      <View className='rp-plot__row'>
        <View className='rp-plot__scale' {...a11y(undefined, { hidden: true })}>
          <View>{estimate(scale.high)}</View>
          <View>{copy.plotPrices}</View>
          <View>{estimate(scale.low)}</View>
        </View>
        <View className='rp-plot__main'>
          <View className='rp-plot__area' {...a11y('img', { label: copy.plotLabel(price.predictFen, label) })}>
            <View
              className='rp-plot__range'
              style={{ bottom: `${range.low}%`, height: `${range.high - range.low}%` }}
            />
            <View className='rp-plot__predict' style={{ bottom: `${range.predict}%` }} />
            {dots.map(({ id, kind, x, y, stray }) => (
              <View
                key={id}
                className={cx(
                  'rp-plot__dot',
                  kind === 'ASKING' && 'rp-plot__dot--asking',
                  stray && 'rp-plot__dot--stray',
                  !isKept(id) && 'rp-plot__dot--out',
                )}
                style={{ left: `${x}%`, bottom: `${y}%` }}
              />
            ))}
          </View>
          {beyond('lower')}
          <View className='rp-plot__axis'>
            <View className='rp-plot__end'>{closenessText.REFERENCE}</View>
            <View className='rp-plot__end rp-plot__end--high'>{closenessText.NEAR}</View>
            <View className='rp-plot__key'>{copy.plotKey(price.predictFen)}</View>
          </View>
        </View>
      </View>
    </View>
  )
}
