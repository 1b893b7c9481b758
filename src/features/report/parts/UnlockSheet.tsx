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
  ways: readonly UnlockMethod[]
  open: boolean
  onClose: () => void
  /** the report is open now */
  onUnlocked: () => void
}

/** Every open way, one as large as the other. */
export function UnlockSheet({ orderId, ways, open, onClose, onUnlocked }: Props) {
  const pay = useUnlockPrice(orderId, open && ways.includes('PAY'))
  const words: Record<UnlockMethod, string> = { PAY: pay.text, HELP: copy.unlockHelp, AD: copy.unlockAd }
  return (
    <Sheet open={open} onClose={onClose} title={copy.unlockTitle}>
      <View className='rp-ways'>
        {ways.map((way) => (
          <Button
            key={way}
            kind='secondary'
            block
            loading={way === 'PAY' && pay.busy}
            onClick={() => {
              if (way === 'PAY' && pay.free) return void pay.free(onUnlocked)
              onClose()
              go[way](orderId)
            }}
          >
            {words[way]}
          </Button>
        ))}
        <View className='rp-ways__note'>{copy.unlockNote}</View>
      </View>
    </Sheet>
  )
}
