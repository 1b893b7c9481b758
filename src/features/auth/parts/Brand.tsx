import { View } from '@tarojs/components'
import { a11y } from '@/ui/a11y'
import { Icon } from '@/ui/Icon/Icon'
import { copy } from '../copy'
import './Brand.scss'

/** Brand, title and the benefit of logging in. */
export function Brand({ title, note }: { title: string; note: string }) {
  return (
    <View className='brand'>
      <View className='brand__mark' {...a11y('img', { label: copy.product })} />
      <View className='brand__title'>{title}</View>
      <View className='brand__note'>{note}</View>
    </View>
  )
}

/** Safety note of every login page. */
export function SafetyNote() {
  return (
    <View className='brand-safety'>
      <Icon name='shield' size='s' />
      <View className='brand-safety__text'>{copy.safety}</View>
    </View>
  )
}
