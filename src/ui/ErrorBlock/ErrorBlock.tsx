import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import { Button } from '../Button/Button'
import { Illustration } from '../Empty/Art'
import './ErrorBlock.scss'

interface Props {
  /** what went wrong, as a sentence */
  reason: string
  onRetry?: (() => void) | undefined
  retrying?: boolean
  /** shown for support requests */
  requestId?: string | undefined
}

/** Error state of loading: the reason and 点击重试. */
export function ErrorBlock({ reason, onRetry, retrying = false, requestId }: Props) {
  return (
    <View className='ui-error' {...a11y('alert')}>
      <Illustration name='signal' />
      <View className='ui-art__text'>{reason}</View>
      {requestId ? <View className='ui-art__note'>{`请求编号 ${requestId}`}</View> : null}
      {onRetry ? (
        <Button kind='secondary' className='ui-art__action' loading={retrying} onClick={onRetry}>
          点击重试
        </Button>
      ) : null}
    </View>
  )
}
