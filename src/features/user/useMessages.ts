import { useState } from 'react'
import { ApiError, api } from '@/api'
import { usePages } from '@/api/usePages'
import type { Message, Req, Res } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { usePageScope } from '@/router/pageContext'
import { copy } from './copy'

export type MessageType = Message['type']

/** Changes made on this page that the loaded pages may not reflect yet. */
interface LocalChanges {
  read: readonly string[]
  allRead: boolean
  removed: readonly string[]
}

/** The user's messages of a type (undefined: all) with the actions on them. */
export function useMessages(type: MessageType | undefined) {
  const { load, pages, more, loadMore, refresh } = usePages<Message, Res<'user', 'messages'>>({
    key: `messages:${type ?? ''}`,
    fetchPage: (pageNo, scope) => api.user.messages({ pageNo, type }, { quiet: true, scope }),
    idOf: (message) => message.id,
    scope: usePageScope(),
  })
  const [done, setDone] = useState<LocalChanges>({ read: [], allRead: false, removed: [] })

  /** Sends one change and applies it locally once the server has accepted it. */
  async function change(req: Req<'user', 'messages'>, next: (old: LocalChanges) => LocalChanges) {
    try {
      await api.user.messages({ ...req, pageSize: 1 })
      setDone(next)
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      if (e.kind === 'business') dialog.toast(copy.messages.failed)
    }
  }

  const list = load.data
    ?.filter(({ id }) => !done.removed.includes(id))
    .map((m) => ({ ...m, read: m.read || done.allRead || done.read.includes(m.id) }))
  return {
    load: { ...load, data: list },
    more,
    loadMore,
    /** whether 全部已读 would change anything */
    anyUnread: !done.allRead && (pages[0]?.unread ?? 0) > done.read.length,
    read: (id: string) => change({ read: id }, (old) => ({ ...old, read: [...old.read, id] })),
    readAll: () => change({ read: 'ALL' }, (old) => ({ ...old, allRead: true })),
    remove: (id: string) => change({ remove: id }, (old) => ({ ...old, removed: [...old.removed, id] })),
    async reload() {
      await refresh()
      setDone({ read: [], allRead: false, removed: [] })
    },
  }
}
