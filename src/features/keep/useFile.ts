import { useState } from 'react'
import { AppError, api, files } from '@/api'
import { useLoad } from '@/api/useLoad'
import type { Req } from '@/contract/types'
import { album } from '@/platform/album'
import type { FileKind, Kept } from '@/platform/album/port'
import { usePageScope } from '@/router/pageContext'

export const hidable = ['NICK', 'RANGE'] as const
export type Hide = (typeof hidable)[number]

export interface Wish {
  orderId: string
  format: FileKind
  hide: readonly Hide[]
}

/** How far the saving of a file is. `msg`: why it failed, in the server's or the network's words. */
export type Saving = { kind: 'IDLE' } | { kind: 'BUSY'; percent: number } | { kind: Kept; msg?: string }

const requestOf = ({ orderId, format, hide }: Wish): Req<'evaluation', 'reportImage'> => ({
  orderId,
  format,
  ...(hide.length > 0 && { hide: hide.join(',') }),
})

/** Name of the file in its address: the report's number. */
const nameOf = (url: string) => `gujia-${url.slice(url.lastIndexOf('/') + 1)}`

/** One file of a report: made by the server as soon as it is wished for, kept on this phone when its owner says so. */
export function useFile(wish: Wish) {
  const scope = usePageScope()
  const req = requestOf(wish)
  const key = `file:${wish.orderId}:${wish.format}:${wish.hide.join()}`
  const load = useLoad(key, (life) => api.evaluation.reportImage(req, { quiet: true, scope: life }))
  const [{ of, saving }, set] = useState<{ of: string; saving: Saving }>({ of: key, saving: { kind: 'IDLE' } })
  const say = (next: Saving) => set({ of: key, saving: next })

  async function keep() {
    say({ kind: 'BUSY', percent: 0 })
    try {
      // asked anew: an address lives a quarter of an hour, the page perhaps longer
      const { url } = await api.evaluation.reportImage(req, { quiet: true, scope })
      const file = await files.fetch(url, { scope, onProgress: (percent) => say({ kind: 'BUSY', percent }) })
      say({ kind: await album.keep(file, nameOf(url), wish.format) })
    } catch (e) {
      if (!(e instanceof AppError)) throw e
      if (e.kind !== 'abort') say({ kind: 'FAILED', msg: e.detail })
    }
  }

  // what became of another file is not this one's
  return { load, saving: of === key ? saving : ({ kind: 'IDLE' } as const), keep: () => void keep() }
}
