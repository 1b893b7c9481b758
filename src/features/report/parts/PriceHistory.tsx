import { View } from '@tarojs/components'
import { dateText, estimate, signedYuan } from '@/contract/format'
import { changeTypeText } from '@/contract/labels'
import { dateTimeText } from '@/contract/moments'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from '../copy'
import './PriceHistory.scss'

/** Signed lines between the account's report before and this one; they add up to the difference. */
export function PriceChange({ report }: { report: Report }) {
  const { changed, price } = report
  if (!changed) return null
  const total = price.predictFen - changed.beforeFen
  return (
    <Card title={copy.changed}>
      <View className='rp-move'>
        <View className='rp-move__name'>{copy.changedFrom(dateText(changed.at))}</View>
        <View className='rp-move__amount'>{estimate(changed.beforeFen)}</View>
      </View>
      {changed.lines.map(({ type, label, amountFen }) => (
        <View key={`${type}${label}`} className='rp-move'>
          <Tag>{changeTypeText[type]}</Tag>
          <View className='rp-move__name rp-move__name--tagged'>{label}</View>
          <View className='rp-move__amount'>{signedYuan(amountFen)}</View>
        </View>
      ))}
      <View className='rp-move rp-move--sum'>
        <View className='rp-move__name'>{total === 0 ? copy.changedSame : copy.changedSum}</View>
        <View className='rp-move__amount'>{signedYuan(total)}</View>
      </View>
    </Card>
  )
}

/** What the account was worth before: a bar for each price, its date, its price and its reason beside it. */
export function PriceHistory({ report }: { report: Report }) {
  const { history = [], price, createdAt } = report
  if (history.length === 0) return null
  const all = [...history, { at: createdAt, predictFen: price.predictFen, reason: copy.historyNow }]
  const most = Math.max(...all.map(({ predictFen }) => predictFen))
  // two of one day are told apart by the hour
  const days = all.map(({ at }) => dateText(at))
  const when = new Set(days).size < days.length ? dateTimeText : dateText
  return (
    <Card title={copy.history}>
      {all.map(({ at, predictFen, reason }) => (
        <View key={at} className='rp-past'>
          <View className='rp-move'>
            <View className='rp-move__name'>
              {when(at)} · {reason}
            </View>
            <View className='rp-move__amount'>{estimate(predictFen)}</View>
          </View>
          <View className='rp-past__track'>
            <View className='rp-past__bar' style={{ width: `${Math.round((100 * predictFen) / most)}%` }} />
          </View>
        </View>
      ))}
    </Card>
  )
}
