import { View } from '@tarojs/components'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { yuan } from '@/contract/format'
import { nav } from '@/router/nav'
import { Button } from '@/ui/Button/Button'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'
import type { Way } from '../model'
import './Unlock.scss'

const go: Record<Way, (orderId: string) => void> = {
  PAY: (orderId) => void nav.to('payment', { orderId }),
  HELP: (orderId) => void nav.to('reportUnlockInvite', { orderId }),
  AD: (orderId) => void nav.to('reportUnlockInvite', { orderId }),
}

/** Asked only when it is about to be shown: the price of the shop, never one of our own. */
function usePayText(orderId: string, wanted: boolean): string {
  const { data } = useLoad(`unlock:${orderId}:${wanted}`, async (scope) =>
    wanted ? api.pay.createAiPre({ orderId }, { quiet: true, scope }) : undefined,
  )
  return data ? copy.unlockPay(yuan(data.payFen)) : copy.unlockPayPlain
}

interface Props {
  orderId: string
  ways: readonly Way[]
  open: boolean
  onClose: () => void
}

/** Every open way, one as large as the other. */
export function Unlock({ orderId, ways, open, onClose }: Props) {
  const pay = usePayText(orderId, open && ways.includes('PAY'))
  const words: Record<Way, string> = { PAY: pay, HELP: copy.unlockHelp, AD: copy.unlockAd }
  return (
    <Sheet open={open} onClose={onClose} title={copy.unlockTitle}>
      <View className='rp-ways'>
        {ways.map((way) => (
          <Button
            key={way}
            kind='secondary'
            block
            onClick={() => {
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
