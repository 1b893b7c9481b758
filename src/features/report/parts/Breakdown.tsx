import { View } from '@tarojs/components'
import { useState } from 'react'
import { signedShortYuan, signedYuan, yuan } from '@/contract/format'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Disclosure } from '@/ui/Disclosure/Disclosure'
import { Icon } from '@/ui/Icon/Icon'
import { copy } from '../copy'
import { hiddenLines, largestFirst, sharedReason } from '../model'
import './Breakdown.scss'

type BreakdownLine = Report['breakdown'][number]

function LineItems({ line }: { line: BreakdownLine }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Disclosure open={open} onToggle={setOpen} text={open ? copy.hideItems : copy.showItems} />
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

interface LineProps {
  line: BreakdownLine
  /** size of the bar, the largest line being 1 */
  share: number
  /** text for this line only */
  why: string | undefined
  /** expanded with reason and parts */
  whole: boolean
}

function LineRow({ line, share, why, whole }: LineProps) {
  const less = line.amountFen < 0
  return (
    <View className='rp-line'>
      <View className='rp-line__row'>
        <View className='rp-line__label'>{line.label}</View>
        <View className='rp-line__track'>
          <View
            className={`rp-line__bar ${less ? 'rp-line__bar--less' : ''}`}
            style={{ width: `${Math.max(2, Math.round(share * 100))}%` }}
          />
        </View>
        <View className='rp-line__amount'>{signedYuan(line.amountFen)}</View>
      </View>
      {whole && why ? <View className='rp-line__why'>{why}</View> : null}
      {whole && line.items.length > 0 ? <LineItems line={line} /> : null}
    </View>
  )
}

/** lines shown before the rest is unfolded */
const SHOWN_LINES = 5

/** Signed lines, largest first, that add up to the price; a locked report shows two and says how many follow. */
export function Breakdown({ report }: { report: Report }) {
  const { breakdown, price } = report
  const [open, setOpen] = useState(false)
  const hidden = hiddenLines(report)
  const lines = largestFirst(breakdown)
  const rest = lines.slice(SHOWN_LINES)
  const most = Math.max(1, ...lines.map((line) => Math.abs(line.amountFen)))
  const common = sharedReason(lines)
  // a short or locked list has no hidden lines, only reasons and parts
  const folds = rest.length > 0 || lines.some(({ why, items }) => why !== undefined || items.length > 0)
  return (
    <Card title={copy.breakdown} extra={hidden > 0 ? undefined : copy.breakdownNote}>
      {(open ? lines : lines.slice(0, SHOWN_LINES)).map((line) => (
        <LineRow
          key={`${line.type}-${line.label}`}
          line={line}
          share={Math.abs(line.amountFen) / most}
          why={line.why === common ? undefined : line.why}
          whole={open}
        />
      ))}
      {open && common ? <View className='rp-line__why'>{copy.commonWhy(common)}</View> : null}
      {hidden > 0 ? (
        <View className='rp-hidden'>
          <Icon name='lock' size='s' />
          {copy.moreLines(hidden)}
        </View>
      ) : (
        <View className='rp-total'>
          <View className='rp-line__label'>{copy.total}</View>
          <View className='rp-line__amount'>{yuan(price.predictFen)}</View>
        </View>
      )}
      {folds ? (
        <Disclosure
          open={open}
          onToggle={setOpen}
          text={
            open
              ? copy.foldLines
              : rest.length > 0
                ? copy.restLines(rest.length, signedShortYuan(rest.reduce((sum, { amountFen }) => sum + amountFen, 0)))
                : copy.lineReasons
          }
        />
      ) : null}
    </Card>
  )
}
