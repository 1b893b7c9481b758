import { View } from '@tarojs/components'
import { type UnlockMethod, useUnlockPrice } from '@/api/unlock'
import { nav } from '@/router/nav'
import { Button } from '@/ui/Button/Button'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'
import './UnlockSheet.scss'

const go: Record<UnlockMethod, (orderId: string) => void> = {
  PAY: (orderId) => void nav.to('payment', { orderId }),
  HELP: (orderId) => void nav.to('reportUnlockInvite', { orderId }),
  AD: (orderId) => void nav.to('reportUnlockInvite', { orderId }),
}

interface Props {
  orderId: string
  methods: readonly UnlockMethod[]
  open: boolean
  onClose: () => void
  /** called once the report is unlocked */
  onUnlocked: () => void
}

/** Every available method, all of the same size. */
export function UnlockSheet({ orderId, methods, open, onClose, onUnlocked }: Props) {
  const pay = useUnlockPrice(orderId, open && methods.includes('PAY'))
  const words: Record<UnlockMethod, string> = { PAY: pay.text, HELP: copy.unlockHelp, AD: copy.unlockAd }
  return (
    <Sheet open={open} onClose={onClose} title={copy.unlockTitle}>
      <View className='rp-methods'>
        {methods.map((method) => (
          <Button
            key={method}
            kind='secondary'
            block
            loading={method === 'PAY' && pay.busy}
            onClick={() => {
              if (method === 'PAY' && pay.free) return void pay.free(onUnlocked)
              onClose()
              go[method](orderId)
            }}
          >
            {words[method]}
          </Button>
        ))}
        {pay.agrees ? <View className='rp-methods__note'>{pay.agrees}</View> : null}
      </View>
    </Sheet>
  )
}
