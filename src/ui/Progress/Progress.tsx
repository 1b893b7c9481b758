import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import './Progress.scss'

interface Props {
  done: number
  total: number
  /** `已填` gives 已填 8/12 */
  label: string
}

/** How much of something is done, in words and as a line. */
export function Progress({ done, total, label }: Props) {
  const text = `${label} ${done}/${total}`
  const share = total > 0 ? Math.min(100, Math.round((done / total) * 100)) : 0
  return (
    <View className='ui-progress' {...a11y('img', { label: text })}>
      <View className='ui-progress__line'>
        <View className='ui-progress__done' style={{ width: `${share}%` }} />
      </View>
      <View className='ui-progress__text'>{text}</View>
    </View>
  )
}
