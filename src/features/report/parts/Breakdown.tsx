import { View } from '@tarojs/components'
import { useState } from 'react'
import { signedShortYuan, signedYuan } from '@/contract/format'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Disclosure } from '@/ui/Disclosure/Disclosure'
import { copy } from '../copy'
import './Breakdown.scss'

type BreakdownLine = Report['breakdown'][number]

interface LineProps {
  line: BreakdownLine
  /** size of the bar, the largest line being 1 */
  share: number
  /** with its parts */
  whole: boolean
}

function LineRow({ line, share, whole }: LineProps) {
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
      {whole
        ? line.items.map((item) => (
            <View key={item.name} className='rp-line__item'>
              <View className='rp-line__label'>{item.name}</View>
              <View className='rp-line__amount'>{signedYuan(item.amountFen)}</View>
            </View>
          ))
        : null}
    </View>
  )
}

/** lines shown before the rest is unfolded */
const SHOWN_LINES = 5

/** Signed lines, largest first, that add up to the price; a locked report shows two and says how many follow. */
export function Breakdown({ report }: { report: Report }) {
  const { breakdown, counts } = report
  const [open, setOpen] = useState(false)
  const hidden = counts.breakdown - breakdown.length
  const lines = [...breakdown].sort((a, b) => Math.abs(b.amountFen) - Math.abs(a.amountFen))
  const rest = lines.slice(SHOWN_LINES)
  const most = Math.max(1, ...lines.map((line) => Math.abs(line.amountFen)))
  return (
    <Card title={copy.breakdown} extra={hidden > 0 ? copy.moreLines(hidden) : copy.breakdownNote}>
      {(open ? lines : lines.slice(0, SHOWN_LINES)).map((line) => (
        <LineRow key={`${line.type}-${line.label}`} line={line} share={Math.abs(line.amountFen) / most} whole={open} />
      ))}
      {rest.length > 0 ? (
        <Disclosure
          open={open}
          onToggle={setOpen}
          text={
            open
              ? copy.foldLines
              : copy.restLines(rest.length, signedShortYuan(rest.reduce((sum, { amountFen }) => sum + amountFen, 0)))
          }
        />
      ) : null}
    </Card>
  )
}
