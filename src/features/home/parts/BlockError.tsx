import { View } from '@tarojs/components'
import { Icon } from '@/ui/Icon/Icon'
import { Tap } from '@/ui/Tap/Tap'
import { copy } from '../copy'
import './BlockError.scss'

/** This block alone failed: the rest of the page stays as it is. */
export function BlockError({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  return (
    <Tap className='home-failed' onClick={onRetry}>
      <View className='home-failed__text'>{reason || copy.failed}</View>
      <View className='home-failed__act'>
        <Icon name='refresh' size='s' />
        {copy.retry}
      </View>
    </Tap>
  )
}
