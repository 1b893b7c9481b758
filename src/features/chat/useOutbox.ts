import { useRef, useState } from 'react'
import { ApiError, api, files } from '@/api'
import { choosePictures } from '@/api/usePictures'
import { pictureLimits } from '@/contract/constants'
import type { ChatMessage } from '@/contract/types'
import { uuid } from '@/lib/id'
import { createQueue } from '@/platform/dialog/port'
import { pictures } from '@/platform/pictures'
import { PictureRefused } from '@/platform/pictures/port'
import { usePageSignal } from '@/router/pageContext'
import { copy } from './copy'
import { type OutgoingMessage, pendingMessages } from './model'

function failureText(e: unknown): string {
  if (e instanceof PictureRefused) return e.kind === 'size' ? copy.largePicture : copy.badPicture
  if (!(e instanceof ApiError)) throw e
  return e.fields?.[0]?.msg ?? (e.serverMsg || copy.failed)
}

/**
 * Sends messages one at a time, so that they arrive in order. A failed one waits for a retry
 * with the same clientId: if it was delivered after all, it does not appear twice.
 */
export function useOutbox(onSent: (message: ChatMessage) => void) {
  const signal = usePageSignal()
  const [turn] = useState(createQueue)
  const list = useRef<readonly OutgoingMessage[]>([])
  const [, redraw] = useState(0)
  const write = (next: readonly OutgoingMessage[]) => {
    list.current = next
    redraw((n) => n + 1)
  }
  const change = (clientId: string, part: Partial<OutgoingMessage>) =>
    write(list.current.map((o) => (o.clientId === clientId ? { ...o, ...part } : o)))
  const drop = (clientId: string) => write(list.current.filter((o) => o.clientId !== clientId))

  async function post({ clientId, type, content, src, orderId }: OutgoingMessage) {
    try {
      let sentContent = content
      if (src !== undefined && sentContent === '') {
        sentContent = await files.upload(await pictures.prepare(src, pictureLimits), 'CHAT', { signal })
        change(clientId, { content: sentContent })
      }
      // leaving the page does not cancel it: the user has sent it
      onSent(await api.chat.send({ clientId, type, content: sentContent, orderId }, { quiet: true }))
      drop(clientId)
    } catch (e) {
      change(clientId, { state: 'failed', reason: failureText(e) })
    }
  }

  const send = (part: Pick<OutgoingMessage, 'type' | 'content' | 'src' | 'card' | 'orderId'>) => {
    const message: OutgoingMessage = { ...part, clientId: uuid(), state: 'sending', at: Date.now() }
    write([...list.current, message])
    void turn(() => post(message))
  }
  const sendPicture = async (orderId?: string) => {
    const [src] = await choosePictures(1, () => void sendPicture(orderId))
    if (src) send({ type: 'IMAGE', content: '', src, orderId })
  }
  return {
    list: list.current,
    send,
    drop,
    /** Removes outgoing messages that the server has returned. */
    arrived(messages: readonly ChatMessage[]) {
      const rest = pendingMessages(list.current, messages)
      if (rest.length < list.current.length) write(rest)
    },
    again(clientId: string) {
      const message = list.current.find((o) => o.clientId === clientId)
      if (message?.state !== 'failed') return
      change(clientId, { state: 'sending' })
      void turn(() => post(message))
    },
    sendPicture,
  }
}
