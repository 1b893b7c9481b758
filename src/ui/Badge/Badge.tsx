import { Badge as NutBadge } from '@nutui/nutui-react-taro'
import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import './Badge.scss'

/** A dot that marks something new. `label` is its accessible name. */
export function Badge({ label }: { label: string }) {
  return (
    <View className='ui-badge' {...a11y('img', { label })}>
      <NutBadge dot />
    </View>
  )
}
