import { ScrollView, View } from '@tarojs/components'
import { momentInPastText } from '@/contract/timeText'
import type { Message } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { a11y } from '@/ui/a11y'
import { Icon } from '@/ui/Icon/Icon'
import type { IconName } from '@/ui/Icon/names'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import './MessageRow.scss'

interface Props {
  message: Message
  onOpen: () => void
  onRemove: () => void
}

const icons: Record<Message['type'], IconName> = {
  REPORT_READY: 'doc',
  NEED_INFO: 'edit',
  PAID: 'check-circle',
  REFUNDED: 'refresh',
  HELPED: 'gift',
  UNLOCKED: 'unlock',
  COUPON_EXPIRING: 'ticket',
  PRICE_CHANGED: 'trend',
  SYSTEM: 'bell',
}

/** One message: its time, and what can be done about it. Swiping left reveals 删除, which the message's sheet also offers. */
export function MessageRow({ message, onOpen, onRemove }: Props) {
  const { type, title, summary, read, createdAt, link } = message
  const words = copy.messages
  return (
    <ScrollView scrollX className='msg' showScrollbar={false}>
      <View className='msg__track'>
        <Pressable className='msg__body' onClick={onOpen}>
          <View className={`msg__icon msg__icon--${type}`}>
            <Icon name={icons[type]} />
          </View>
          <View className='msg__text'>
            <View className='msg__head'>
              {read ? null : <View className='msg__dot' {...a11y('img', { label: words.unread })} />}
              <View className='msg__title'>{title}</View>
              <View className='msg__time'>{momentInPastText(createdAt, serverTime())}</View>
              {link ? <Icon name='chevron-right' size='s' className='msg__more' /> : null}
            </View>
            <View className='msg__summary'>{summary}</View>
          </View>
        </Pressable>
        <Pressable className='msg__remove' label={`${words.remove}：${title}`} onClick={onRemove}>
          {words.remove}
        </Pressable>
      </View>
    </ScrollView>
  )
}
