import { View } from '@tarojs/components'
import { Chip } from '@/ui/Chip/Chip'

/** maximum of visible chips; the rest is counted */
const MAX_VISIBLE = 12

interface Props {
  items: readonly { v: string; text: string }[]
  /** without it the chips are read-only, and a tap opens the sheet */
  onRemove?: (v: string) => void
  /** opens the sheet, scrolled to the given option */
  onMore: (v?: string) => void
}

/** Options chosen in a sheet, as chips under the field's box. */
export function SelectedItems({ items, onRemove, onMore }: Props) {
  if (items.length === 0) return null
  const rest = items.length - MAX_VISIBLE
  return (
    <View className='ui-chips'>
      {items.slice(0, MAX_VISIBLE).map(({ v, text }) =>
        onRemove ? (
          <Chip key={v} selected removable label={`移除 ${text}`} onClick={() => onRemove(v)}>
            {text}
          </Chip>
        ) : (
          <Chip key={v} onClick={() => onMore(v)}>
            {text}
          </Chip>
        ),
      )}
      {rest > 0 ? <Chip onClick={() => onMore()}>{`还有 ${rest} 个`}</Chip> : null}
    </View>
  )
}
