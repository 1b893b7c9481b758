import { useRef, useState } from 'react'
import { ApiError, api } from '@/api'
import { usePages } from '@/api/usePages'
import type { Message, Req, Res } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { usePageSignal } from '@/router/pageContext'
import { copy } from './copy'

export type MessageType = Message['type']

/** Messages read on this page since its first part, `of`, was loaded. */
interface LocalChanges {
  of?: object | undefined
  read: readonly string[]
  allRead: boolean
}
const none: LocalChanges = { read: [], allRead: false }

/** The user's messages of a type (undefined: all) with the actions on them. */
export function useMessages(type: MessageType | undefined) {
  const { list, pages, refresh } = usePages<Message, Res<'user', 'messages'>>({
    key: `messages:${type ?? ''}`,
    fetchPage: (pageNo, signal) => api.user.messages({ pageNo, type }, { quiet: true, signal }),
    idOf: (message) => message.id,
    signal: usePageSignal(),
  })
  const [changes, setChanges] = useState(none)
  const [removed, setRemoved] = useState<readonly string[]>([])
  const first = useRef<object>()
  first.current = pages[0]
  const done = changes.of === pages[0] ? changes : none

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

  const markRead = (next: (old: LocalChanges) => LocalChanges) =>
    setChanges((old) => ({ ...next(old.of === first.current ? old : none), of: first.current }))

  const shown = list.load.data
    ?.filter(({ id }) => !removed.includes(id))
    .map((m) => ({ ...m, read: m.read || done.allRead || done.read.includes(m.id) }))
  return {
    list: { ...list, load: { ...list.load, data: shown } },
    /** whether 全部已读 would change anything */
    anyUnread: !done.allRead && (pages[0]?.unread ?? 0) > done.read.length,
    read: (id: string) => change({ read: id }, () => markRead((old) => ({ ...old, read: [...old.read, id] }))),
    readAll: () => change({ read: 'ALL' }, () => markRead((old) => ({ ...old, allRead: true }))),
    remove: (id: string) =>
      change({ remove: id }, () => {
        setRemoved((old) => [...old, id])
        // the pages are numbered: the rest has moved up by one
        void refresh()
      }),
  }
}
