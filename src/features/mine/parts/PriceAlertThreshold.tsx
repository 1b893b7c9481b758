import { Card } from '@/ui/Card/Card'
import { ChipSelect } from '@/ui/ChipSelect/ChipSelect'
import { copy } from '../copy'

const words = copy.setting
/** per cent; the server's default */
const DEFAULT_PERCENT = 5
const options = Object.entries(words.priceMoves).map(([v, t]) => ({ v, t }))

interface Props {
  /** per cent; 0: never */
  value: number | undefined
  onChange: (percent: number) => void
}

/** Threshold for price change notifications. */
export function PriceAlertThreshold({ value = DEFAULT_PERCENT, onChange }: Props) {
  return (
    <Card>
      <ChipSelect
        label={words.priceMove}
        help={words.priceMoveHelp}
        options={options}
        value={String(value)}
        onChange={(percent) => percent !== undefined && onChange(Number(percent))}
      />
    </Card>
  )
}
