import { ScrollView, View } from '@tarojs/components'
import { useState } from 'react'
import { usePayStatus } from '@/api/usePayStatus'
import { keysOf, messageTypeText } from '@/contract/labels'
import { visibleMessages } from '@/contract/sale'
import type { Message } from '@/contract/types'
import { nav } from '@/router/nav'
import type { ScreenProps } from '@/router/page'
import { appState } from '@/session/store'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Chip } from '@/ui/Chip/Chip'
import { Empty } from '@/ui/Empty/Empty'
import { List } from '@/ui/List/List'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from './copy'
import { MessageRow } from './parts/MessageRow'
import { type MessageType, useMessages } from './useMessages'
import './MessagesScreen.scss'

const words = copy.messages
const types = keysOf(messageTypeText)

function TypeTabs({
  type,
  coupons,
  onPick,
}: {
  type: MessageType | undefined
  coupons: boolean
  onPick: (type: MessageType | undefined) => void
}) {
  return (
    <ScrollView scrollX className='messages__types' showScrollbar={false}>
      <View className='messages__chips' {...a11y('tablist', { label: words.types })}>
        {[undefined, ...types.filter((known) => coupons || known !== 'COUPON_EXPIRING')].map((option) => (
          <View key={option ?? 'ALL'} className='messages__chip'>
            <Chip role='tab' selected={option === type} onClick={() => onPick(option)}>
              {option ? messageTypeText[option] : words.all}
            </Chip>
          </View>
        ))}
      </View>
    </ScrollView>
  )
}

interface OpenedProps {
  message: Message | undefined
  onClose: () => void
  onRemove: (id: string) => void
}

function MessageSheet({ message, onClose, onRemove }: OpenedProps) {
  const { id = '', link } = message ?? {}
  return (
    <Sheet
      open={message !== undefined}
      onClose={onClose}
      title={message?.title ?? ''}
      inset
      foot={
        <View className='messages__acts'>
          <Button block onClick={link ? () => void nav.url(link) : onClose}>
            {link ? words.look : words.close}
          </Button>
          <Button kind='ghost' block onClick={() => onRemove(id)}>
            {words.remove}
          </Button>
        </View>
      }
    >
      <View className='messages__text'>{message?.body}</View>
    </Sheet>
  )
}

/** Notifications about orders, reports and coupons. Opening one marks it as read. */
export function MessagesScreen({ params }: ScreenProps<'mineMessage'>) {
  const [type, setType] = useState(types.find((known) => known === params.type))
  const [opened, setOpened] = useState<Message>()
  const { list, anyUnread, read, readAll, remove } = useMessages(type)
  const { paymentsEnabled } = usePayStatus(appState().platform)
  const data = list.load.data && visibleMessages(list.load.data, paymentsEnabled)
  const open = (message: Message) => {
    if (!message.read) void read(message.id)
    // a sheet that says no more than the row would only stand in the way of what the message names
    if (message.link && message.body === message.summary) void nav.url(message.link)
    else setOpened(message)
  }
  return (
    <View className='messages'>
      <TypeTabs type={type} coupons={paymentsEnabled} onPick={setType} />
      {anyUnread ? (
        <View className='messages__tools'>
          <Button kind='ghost' size='s' onClick={() => void readAll()}>
            {words.readAll}
          </Button>
        </View>
      ) : null}
      <List {...list} load={{ ...list.load, data }} empty={<Empty text={type ? words.emptyType : words.empty} />}>
        {(message) => (
          <MessageRow message={message} onOpen={() => open(message)} onRemove={() => void remove(message.id)} />
        )}
      </List>
      <MessageSheet
        message={opened}
        onClose={() => setOpened(undefined)}
        onRemove={(id) => {
          setOpened(undefined)
          void remove(id)
        }}
      />
    </View>
  )
}
