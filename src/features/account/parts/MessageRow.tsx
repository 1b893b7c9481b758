import { ScrollView, View } from '@tarojs/components'
import { pastText } from '@/contract/moments'
import type { Message } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { Badge } from '@/ui/Badge/Badge'
import { Tap } from '@/ui/Tap/Tap'
import { copy } from '../copy'
import './MessageRow.scss'

interface Props {
  message: Message
  onOpen: () => void
  onRemove: () => void
}

/** One message. Swiping left reveals 删除, which the message's sheet also offers. */
export function MessageRow({ message, onOpen, onRemove }: Props) {
  const { title, summary, read, createdAt } = message
  const words = copy.messages
  return (
    <ScrollView scrollX className='msg' showScrollbar={false}>
      <View className='msg__track'>
        <Tap className='msg__body' onClick={onOpen}>
          <View className='msg__head'>
            {read ? null : <Badge label={words.unread} />}
            <View className='msg__title'>{title}</View>
            <View className='msg__time'>{pastText(createdAt, serverTime())}</View>
          </View>
          <View className='msg__summary'>{summary}</View>
        </Tap>
        <Tap className='msg__remove' label={`${words.remove}：${title}`} onClick={onRemove}>
          {words.remove}
        </Tap>
      </View>
    </ScrollView>
  )
}
