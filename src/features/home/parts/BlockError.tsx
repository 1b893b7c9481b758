import { View } from '@tarojs/components'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import './BlockError.scss'

/** Error of a single block; the rest of the page is unaffected. */
export function BlockError({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  return (
    <Pressable className='home-failed' onClick={onRetry}>
      <View className='home-failed__text'>{reason || copy.failed}</View>
      <View className='home-failed__act'>
        <Icon name='refresh' size='s' />
        {copy.retry}
      </View>
    </Pressable>
  )
}
