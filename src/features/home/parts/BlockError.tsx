import { View } from '@tarojs/components'
import { Icon } from '@/ui/Icon/Icon'
import { Tap } from '@/ui/Tap/Tap'
import { copy } from '../copy'
import './BlockError.scss'

/** Error of a single block; the rest of the page is unaffected. */
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
