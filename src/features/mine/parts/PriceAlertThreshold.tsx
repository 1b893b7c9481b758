import { View } from '@tarojs/components'
import { useState } from 'react'
import { Cell } from '@/ui/Cell/Cell'
import { Choice } from '@/ui/Sheet/Choice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'

const words = copy.setting
/** per cent; the server's default */
const DEFAULT_PERCENT = 5
const options = Object.entries(words.priceMoves).map(([percent, text]) => ({ percent: Number(percent), text }))

interface Props {
  /** per cent; 0: never */
  value: number | undefined
  onChange: (percent: number) => void
}

/** Threshold for price change notifications. */
export function PriceAlertThreshold({ value = DEFAULT_PERCENT, onChange }: Props) {
  const [open, setOpen] = useState(false)
  function pick(percent: number) {
    setOpen(false)
    if (percent !== value) onChange(percent)
  }
  return (
    <>
      <Cell
        title={words.priceMove}
        value={options.find(({ percent }) => percent === value)?.text ?? `${value}%`}
        onClick={() => setOpen(true)}
      />
      <Sheet open={open} onClose={() => setOpen(false)} title={words.priceMove}>
        <View className='setting__note'>{words.priceMoveHelp}</View>
        {options.map(({ percent, text }) => (
          <Choice key={percent} kind='radio' on={percent === value} onClick={() => pick(percent)}>
            {text}
          </Choice>
        ))}
      </Sheet>
    </>
  )
}
