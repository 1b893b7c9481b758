import { View } from '@tarojs/components'
import { useCall } from '@/api/useCall'
import { imagePreview } from '@/platform/imagePreview'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from '../copy'

/** Contact of this order; optional, as the page always has 联系客服. */
export function StaffContact({ orderId }: { orderId: string }) {
  const { data } = useCall('user', 'customerServiceByOrder', { orderId })
  if (!data) return null
  const { nick, online, serviceHours, wecomQr } = data
  return (
    <Card flush title={copy.staff}>
      <Cell
        icon='headset'
        title={nick}
        note={copy.staffHours(serviceHours)}
        value={online ? <Tag tone='ok'>{copy.staffOnline}</Tag> : undefined}
      />
      {wecomQr ? (
        <Cell icon='scan' title={copy.staffAdd} note={copy.staffAddNote} onClick={() => imagePreview.open([wecomQr])} />
      ) : null}
      <View className='checkout-safe'>{copy.safe}</View>
    </Card>
  )
}
