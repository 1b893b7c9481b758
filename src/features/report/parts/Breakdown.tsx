import { View } from '@tarojs/components'
import { useState } from 'react'
import { estimate, signedYuan, yuan } from '@/contract/format'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Icon } from '@/ui/Icon/Icon'
import { Tap } from '@/ui/Tap/Tap'
import { copy } from '../copy'
import { hiddenLines } from '../model'
import './Breakdown.scss'

type BreakdownLine = Report['breakdown'][number]

function LineItems({ line }: { line: BreakdownLine }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Tap className='rp-line__more' expanded={open} onClick={() => setOpen(!open)}>
        {open ? copy.hideItems : copy.showItems}
        <Icon name={open ? 'chevron-up' : 'chevron-down'} size='s' />
      </Tap>
      {open
        ? line.items.map((item) => (
            <View key={item.name} className='rp-line__item'>
              <View className='rp-line__label'>{item.name}</View>
              <View className='rp-line__amount'>{signedYuan(item.amountFen)}</View>
            </View>
          ))
        : null}
    </>
  )
}

/** `share`: size of the bar, the largest line being 1; `why`: what is said of this line alone. */
function LineRow({ line, share, why }: { line: BreakdownLine; share: number; why: string | undefined }) {
  const less = line.amountFen < 0
  return (
    <View className='rp-line'>
      <View className='rp-line__row'>
        <View className='rp-line__label'>{line.label}</View>
        <View className='rp-line__amount'>{signedYuan(line.amountFen)}</View>
      </View>
      <View className='rp-line__track'>
        <View
          className={`rp-line__bar ${less ? 'rp-line__bar--less' : ''}`}
          style={{ width: `${Math.max(2, Math.round(share * 100))}%` }}
        />
      </View>
      {why ? <View className='rp-line__why'>{why}</View> : null}
      {line.items.length > 0 ? <LineItems line={line} /> : null}
    </View>
  )
}

/** a reason that this many lines share is shown once for all of them */
const MIN_SHARED_REASONS = 3

function sharedReason(lines: readonly BreakdownLine[]): string | undefined {
  const lists = lines.map(({ why }) => lines.filter((line) => line.why && line.why === why))
  return lists.find((same) => same.length >= MIN_SHARED_REASONS)?.[0]?.why
}

/** Signed lines that add up to the price; a locked report shows the first ones and says how many follow. */
export function Breakdown({ report }: { report: Report }) {
  const { breakdown, price } = report
  const hidden = hiddenLines(report)
  const most = Math.max(1, ...breakdown.map((line) => Math.abs(line.amountFen)))
  const common = sharedReason(breakdown)
  return (
    <Card title={copy.breakdown} extra={hidden > 0 ? undefined : copy.breakdownNote}>
      {common ? <View className='rp-line__why'>{copy.commonWhy(common)}</View> : null}
      {breakdown.map((line) => (
        <LineRow
          key={`${line.type}-${line.label}`}
          line={line}
          share={Math.abs(line.amountFen) / most}
          why={line.why === common ? undefined : line.why}
        />
      ))}
      {hidden > 0 ? (
        <View className='rp-hidden'>
          <Icon name='lock' size='s' />
          {copy.moreLines(hidden)}
        </View>
      ) : (
        <View className='rp-total'>
          <View className='rp-line__label'>{copy.total}</View>
          <View className='rp-total__amount'>
            {yuan(price.predictFen)}
            <View className='rp-total__shown'>≈ {estimate(price.predictFen)}</View>
          </View>
        </View>
      )}
    </Card>
  )
}
