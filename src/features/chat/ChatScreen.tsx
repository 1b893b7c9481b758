import { View } from '@tarojs/components'
import { useState } from 'react'
import type { Order } from '@/contract/types'
import type { ScreenProps } from '@/router/page'
import { Loaded } from '@/ui/Loaded/Loaded'
import { Notice } from '@/ui/Notice/Notice'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { kept } from './kept'
import { cardOf } from './model'
import { Composer } from './parts/Composer'
import { More, Offer } from './parts/Orders'
import { Staff, useStaff } from './parts/Staff'
import { Talk } from './parts/Talk'
import { useChat } from './useChat'
import './ChatScreen.scss'

/** Questions to a person: who answers and when, what was said, and where one writes. */
export function ChatScreen({ params: { orderId } }: ScreenProps<'chat'>) {
  const chat = useChat()
  const staff = useStaff(orderId)
  const [more, setMore] = useState(false)
  const [{ text }] = useState(kept.read)
  const { send, sendPicture } = chat.outbox
  const onPick = (order: Order) => send(cardOf(order))
  return (
    <View className='ch'>
      <View className='ch__frame'>
        <Staff staff={staff} />
        {chat.online ? null : <Notice tone='warn' icon='offline' text={copy.offline} />}
        <View className='ch__body'>
          <Loaded load={chat.load} skeleton={<SkeletonRows />}>
            {() => <Talk chat={chat} />}
          </Loaded>
        </View>
        {orderId ? <Offer orderId={orderId} onPick={onPick} /> : null}
        <Composer
          typed={text}
          onType={(typed) => kept.write({ text: typed })}
          onSend={(content) => send({ type: 'TEXT', content })}
          onMore={() => setMore(true)}
        />
      </View>
      <More open={more} onClose={() => setMore(false)} onPicture={() => void sendPicture()} onPick={onPick} />
    </View>
  )
}
