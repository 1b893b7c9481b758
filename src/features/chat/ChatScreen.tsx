import { View } from '@tarojs/components'
import { useState } from 'react'
import type { ScreenProps } from '@/router/page'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import { copy } from './copy'
import { orderCard } from './model'
import { AttachmentSheet } from './parts/Attachments'
import { Composer } from './parts/Composer'
import { MessageList } from './parts/MessageList'
import { QuestionNotice, useQuestion } from './parts/QuestionNotice'
import { StaffHeader, useStaff } from './parts/StaffHeader'
import { useChat } from './useChat'
import './ChatScreen.scss'

/** Support chat: consultant, messages and composer. */
export function ChatScreen({ params: { orderId, ask } }: ScreenProps<'chat'>) {
  const chat = useChat()
  const staff = useStaff(orderId)
  const question = useQuestion(ask ? orderId : undefined)
  const [more, setMore] = useState(false)
  const { send, sendPicture } = chat.outbox
  return (
    <View className='ch'>
      <View className='ch__frame'>
        <StaffHeader staff={staff} />
        {chat.online ? null : <Notice tone='warn' icon='offline' text={copy.offline} />}
        <View className='ch__body'>
          <LoadBoundary load={chat.load} skeleton={<SkeletonRows />}>
            {() => <MessageList chat={chat} ask={question.ask} />}
          </LoadBoundary>
        </View>
        <QuestionNotice {...question} />
        <Composer
          onSend={(content) => send({ type: 'TEXT', content, orderId: question.ask })}
          onMore={() => setMore(true)}
        />
      </View>
      <AttachmentSheet
        open={more}
        onClose={() => setMore(false)}
        onPicture={() => void sendPicture(question.ask)}
        onPick={(order) => send(orderCard(order))}
      />
    </View>
  )
}
