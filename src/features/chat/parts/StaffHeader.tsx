import { View } from '@tarojs/components'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import type { StaffCard } from '@/contract/types'
import { customerService } from '@/platform/customerService'
import { dialog } from '@/platform/dialog'
import { imagePreview } from '@/platform/imagePreview'
import { Avatar } from '@/ui/Avatar/Avatar'
import { Cell } from '@/ui/Cell/Cell'
import { Icon } from '@/ui/Icon/Icon'
import { Tag } from '@/ui/Tag/Tag'
import { Unbroken } from '@/ui/Unbroken/Unbroken'
import { copy } from '../copy'
import './StaffHeader.scss'

/** The consultant of the order, or any consultant without an order. */
export function useStaff(orderId: string | undefined) {
  return useLoad(`staff:${orderId}`, (signal) =>
    orderId
      ? api.user.customerServiceByOrder({ orderId }, { quiet: true, signal })
      : api.evaluation.consultStaff({}, { quiet: true, signal }),
  ).data
}

async function openHost({ kfUrl, corpId }: StaffCard) {
  if (!(await customerService.open(kfUrl, corpId))) dialog.toast(copy.kfFailed)
}

/** The consultant and a warning against fraud. */
export function StaffHeader({ staff }: { staff: StaffCard | undefined }) {
  return (
    <View className='ch-head'>
      {staff ? (
        <Cell
          lead={<Avatar icon='headset' />}
          title={staff.nick}
          note={<Unbroken text={copy.hours(staff.serviceHours, staff.avgReplySec)} />}
          value={<Tag tone={staff.online ? 'ok' : 'plain'}>{staff.online ? copy.online : copy.away}</Tag>}
        />
      ) : null}
      {staff?.wecomQr ? (
        <Cell icon='scan' title={copy.code} onClick={() => imagePreview.open([staff.wecomQr])} />
      ) : null}
      {staff?.kfUrl && customerService.available() ? (
        <Cell icon='chat' title={copy.kf} onClick={() => void openHost(staff)} />
      ) : null}
      <View className='ch-safe'>
        <Icon name='shield' size='s' className='ch-safe__icon' />
        <View className='ch-safe__text'>{copy.safe}</View>
      </View>
    </View>
  )
}
