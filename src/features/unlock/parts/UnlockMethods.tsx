import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { type UnlockMethod, useUnlockPrice } from '@/api/unlock'
import { nav } from '@/router/nav'
import { Button } from '@/ui/Button/Button'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'
import { useAdUnlock } from '../useAdUnlock'
import './UnlockMethods.scss'

interface Props {
  orderId: string
  ways: readonly UnlockMethod[]
  onUnlocked: () => void
  /** asking friends, as large as the others */
  children?: ReactNode
}

/** Every way that is open here, one as large as the other. */
export function UnlockMethods({ orderId, ways, onUnlocked, children }: Props) {
  const pay = useUnlockPrice(orderId, ways.includes('PAY'))
  const ad = useAdUnlock(orderId, onUnlocked)
  return (
    <View className='un-ways'>
      {children}
      {ways.includes('PAY') ? (
        <View className='un-ways__one'>
          <Button
            kind='secondary'
            block
            loading={pay.busy}
            onClick={() => void (pay.free ? pay.free(onUnlocked) : nav.to('payment', { orderId }))}
          >
            {pay.text}
          </Button>
        </View>
      ) : null}
      {ways.includes('AD') ? (
        <View className='un-ways__one'>
          <Button kind='secondary' block loading={ad.busy} onClick={ad.run}>
            {copy.ad}
          </Button>
        </View>
      ) : null}
      {ad.fault ? <Notice tone='warn' text={ad.fault} /> : null}
      <View className='un-ways__note'>{copy.same}</View>
    </View>
  )
}
