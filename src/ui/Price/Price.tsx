import { Text, View } from '@tarojs/components'
import { estimate, priceOrFree } from '@/contract/format'
import { a11y } from '../a11y'
import './Price.scss'

interface Props {
  /** integer fen; `—` if missing */
  fen: number | null | undefined
  /** `paid`: two decimals, 免费 for zero. `estimate`: rounded to whole yuan */
  kind?: 'estimate' | 'paid'
  /** 14, 18, 22, 34 and 48 design pixels */
  size?: 's' | 'm' | 'l' | 'xl' | 'hero'
}

/** A price: a small ¥, bold tabular figures. */
export function Price({ fen, kind = 'estimate', size = 'm' }: Props) {
  const text = kind === 'paid' ? priceOrFree(fen) : estimate(fen)
  const figures = text.startsWith('¥') ? text.slice(1) : text
  return (
    <View className={`ui-price ui-price--${size}`} {...a11y('text', { label: text })}>
      {figures === text ? null : <Text className='ui-price__sign'>¥</Text>}
      <Text className='ui-price__figures'>{figures}</Text>
    </View>
  )
}
