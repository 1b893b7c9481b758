import { ScrollView, View } from '@tarojs/components'
import { useEffect, useRef, useState } from 'react'
import { a11y } from '@/ui/a11y'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import { elementIdOf, startsTimeGroup } from '../model'
import type { Chat } from '../useChat'
import { Face, MessageBubble } from './MessageBubble'
import './MessageList.scss'

/** scrolled further from the end than this counts as reading older messages */
const SCROLLED_UP_PX = 1200

interface Scrolled {
  detail: { scrollTop: number; scrollHeight: number }
}

/** Scrolls to new messages unless the user reads older ones. */
function useStickToEnd({ messages, out }: Pick<Chat, 'messages' | 'out'>) {
  const all = [...messages, ...out]
  const last = all[all.length - 1]
  const end = last && elementIdOf(last)
  const own = out.length > 0
  const [target, setTarget] = useState<string>()
  const away = useRef(false)
  useEffect(() => {
    if (end === undefined) return
    if (!away.current || own) setTarget(end)
  }, [end, own])
  return {
    all,
    target,
    setTarget,
    onScroll({ detail: { scrollTop, scrollHeight } }: Scrolled) {
      away.current = scrollHeight - scrollTop > SCROLLED_UP_PX
    },
  }
}

function EarlierMessages({ more, onMore }: { more: Chat['more']; onMore: () => void }) {
  if (more === 'end') return null
  if (more === 'loading')
    return (
      <View className='ch-more' {...a11y('status')}>
        {copy.earlierLoading}
      </View>
    )
  return (
    <Pressable className='ch-more ch-more--tap' onClick={onMore}>
      {more === 'error' ? copy.earlierFailed : copy.earlier}
    </Pressable>
  )
}

interface Props {
  chat: Chat
  /** messages go to the appraiser of this order */
  ask: string | undefined
}

/** Messages, latest last; pulling down at the top loads earlier ones. */
export function MessageList({ chat, ask }: Props) {
  const { messages, more, readSeq, outbox } = chat
  const { all, target, setTarget, onScroll } = useStickToEnd(chat)
  const newest = [...messages].reverse().find(({ from }) => from === 'USER')
  const onMore = async () => {
    const first = await chat.earlier()
    // keep the previously first message in view
    if (first) setTarget(elementIdOf(first))
  }
  return (
    <View className='ch-talk'>
      <ScrollView
        scrollY
        className='ch-talk__scroll'
        upperThreshold={20}
        onScrollToUpper={() => void (more === 'idle' && onMore())}
        onScroll={onScroll}
        {...(target ? { scrollIntoView: target } : {})}
        {...a11y('log', { label: copy.list })}
        // scrollable regions must be reachable by keyboard
        {...{ tabindex: '0' }}
      >
        <EarlierMessages more={more} onMore={() => void onMore()} />
        {more === 'end' ? (
          <View className='ch-item ch-item--hello'>
            <View className='ch-line'>
              <Face of={ask ? 'APPRAISER' : 'STAFF'} />
              <View className='ch-bubble'>{ask ? copy.askHello : copy.hello}</View>
            </View>
          </View>
        ) : null}
        {all.map((m, i) => (
          <MessageBubble
            key={'clientId' in m && m.clientId ? m.clientId : elementIdOf(m)}
            m={m}
            time={startsTimeGroup(all[i - 1], m)}
            read={m === newest ? newest.seq <= readSeq : undefined}
            onAgain={outbox.again}
            onDrop={outbox.drop}
          />
        ))}
      </ScrollView>
    </View>
  )
}
