import { useEffect, useRef, useState } from 'react'
import { ApiError, api } from '@/api'
import { useCall } from '@/api/useCall'
import type { ChatMessage } from '@/contract/types'
import { createAbortableSignal } from '@/lib/abortableSignal'
import { usePageVisible } from '@/lib/usePageVisible'
import { usePageSignal } from '@/router/pageContext'
import { mergeMessages, pendingMessages } from './model'
import { pollMessages, type ReadPosition } from './pollMessages'
import { useOutbox } from './useOutbox'

type HistoryState = 'idle' | 'loading' | 'error' | 'end'

/** The conversation: latest messages, earlier ones on demand, updates while visible, and outgoing messages. */
export function useChat() {
  const signal = usePageSignal()
  const load = useCall('chat', 'messages', {})
  const [later, setLater] = useState<ChatMessage[]>([])
  const [readSeq, setReadSeq] = useState(0)
  const [more, setMore] = useState<HistoryState>()
  const [online, setOnline] = useState(true)
  const visible = usePageVisible()
  const add = (list: readonly ChatMessage[]) => setLater((old) => mergeMessages(old, list))

  const position = useRef<ReadPosition>()
  const { data } = load
  if (data && !position.current)
    position.current = { seq: data.list[data.list.length - 1]?.seq ?? 0, readSeq: data.readSeq }
  const loaded = data !== undefined
  useEffect(() => {
    if (!loaded || !visible || !position.current) return
    const signal = createAbortableSignal()
    void pollMessages({
      position: position.current,
      signal,
      onOnline: setOnline,
      onPage(page) {
        setLater((old) => mergeMessages(old, page.list))
        setReadSeq(page.readSeq)
      },
    })
    return () => signal.abort()
  }, [loaded, visible])

  const messages = mergeMessages(data?.list ?? [], later)
  const outbox = useOutbox((message) => add([message]))
  useEffect(() => outbox.arrived(messages))
  const state: HistoryState = more ?? (data?.earlier ? 'idle' : 'end')

  /** @returns the message that was first before */
  async function earlier(): Promise<ChatMessage | undefined> {
    const [first] = messages
    if (!first || state === 'loading' || state === 'end') return undefined
    setMore('loading')
    try {
      const page = await api.chat.messages({ before: first.seq }, { quiet: true, signal })
      add(page.list)
      setMore(page.earlier ? 'idle' : 'end')
      return first
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      setMore('error')
      return undefined
    }
  }

  return {
    load,
    messages,
    out: pendingMessages(outbox.list, messages),
    outbox,
    readSeq: Math.max(readSeq, data?.readSeq ?? 0),
    more: state,
    earlier,
    online,
  }
}

export type Chat = ReturnType<typeof useChat>
