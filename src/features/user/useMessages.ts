import { useState } from 'react'
import { ApiError, api } from '@/api'
import { usePages } from '@/api/usePages'
import type { Message, Req, Res } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { usePageSignal } from '@/router/pageContext'
import { copy } from './copy'

export type MessageType = Message['type']

/** The user's messages of a type (undefined: all) with the actions on them. */
export function useMessages(type: MessageType | undefined) {
  const { list, pages, refresh } = usePages<Message, Res<'user', 'messages'>>({
    key: `messages:${type ?? ''}`,
    fetchPage: (pageNo, signal) => api.user.messages({ pageNo, type }, { quiet: true, signal }),
    idOf: (message) => message.id,
    signal: usePageSignal(),
  })
  const [readIds, setReadIds] = useState<readonly string[]>([])
  const [removed, setRemoved] = useState<readonly string[]>([])

  /** Sends one change and applies it locally once the server has accepted it. */
  async function change(req: Req<'user', 'messages'>, accepted: () => void) {
    try {
      await api.user.messages({ ...req, pageSize: 1 })
      accepted()
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      if (e.kind === 'business') dialog.toast(copy.messages.failed)
    }
  }

  const shown = list.load.data
    ?.filter(({ id }) => !removed.includes(id))
    .map((m) => ({ ...m, read: m.read || readIds.includes(m.id) }))
  return {
    list: { ...list, load: { ...list.load, data: shown } },
    /** whether 全部已读 would change anything */
    anyUnread: (pages[0]?.unread ?? 0) > readIds.length,
    read: (id: string) => change({ read: id }, () => setReadIds((old) => [...old, id])),
    readAll: () =>
      change({ read: 'ALL' }, () => {
        setReadIds([])
        void refresh()
      }),
    remove: (id: string) =>
      change({ remove: id }, () => {
        setRemoved((old) => [...old, id])
        // the pages are numbered: the rest has moved up by one
        void refresh()
      }),
  }
}
