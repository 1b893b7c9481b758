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
  methods: readonly UnlockMethod[]
  onUnlocked: () => void
  /** friends' help, as large as the others */
  children?: ReactNode
}

/** Every method available here, all of the same size. */
export function UnlockMethods({ orderId, methods, onUnlocked, children }: Props) {
  const pay = useUnlockPrice(orderId, methods.includes('PAY'))
  const ad = useAdUnlock(orderId, onUnlocked)
  return (
    <View className='un-methods'>
      {children}
      {methods.includes('PAY') ? (
        <View className='un-methods__one'>
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
      {methods.includes('AD') ? (
        <View className='un-methods__one'>
          <Button kind='secondary' block loading={ad.busy} onClick={ad.run}>
            {copy.ad}
          </Button>
        </View>
      ) : null}
      {ad.error ? <Notice tone='warn' text={ad.error} /> : null}
      {pay.agrees ? <View className='un-methods__note'>{pay.agrees}</View> : null}
    </View>
  )
}
