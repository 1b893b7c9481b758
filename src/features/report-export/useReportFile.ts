import { useState } from 'react'
import { ApiError, api, files } from '@/api'
import { useCall } from '@/api/useCall'
import { album } from '@/platform/album'
import type { FileKind, SaveOutcome } from '@/platform/album/port'
import { usePageSignal } from '@/router/pageContext'

export const hideableFields = ['NICK', 'RANGE'] as const
export type HideableField = (typeof hideableFields)[number]

interface ExportRequest {
  orderId: string
  format: FileKind
  hide: readonly HideableField[]
}

/** Progress or outcome of saving. `msg`: the reason of a failure, from the server or the network. */
export type SaveState = { kind: 'IDLE' } | { kind: 'BUSY'; percent: number } | { kind: SaveOutcome; msg?: string }

/** File name from the URL, whose last segment is the report's number. */
const nameOf = (url: string) => `gujia-${url.slice(url.lastIndexOf('/') + 1)}`

/** One exported file of a report: the server renders it on request, the user then saves it to the device. */
export function useReportFile({ orderId, format, hide }: ExportRequest) {
  const signal = usePageSignal()
  const req = { orderId, format, ...(hide.length > 0 && { hide: hide.join(',') }) }
  const key = JSON.stringify(req)
  const load = useCall('evaluation', 'reportImage', req)
  const [{ of, saving }, set] = useState<{ of: string; saving: SaveState }>({ of: key, saving: { kind: 'IDLE' } })
  const say = (next: SaveState) => set({ of: key, saving: next })

  async function save() {
    say({ kind: 'BUSY', percent: 0 })
    try {
      // a fresh URL: they expire after 15 minutes and the page may have been open longer
      const { url } = await api.evaluation.reportImage(req, { quiet: true, signal })
      const file = await files.download(url, { signal, onProgress: (percent) => say({ kind: 'BUSY', percent }) })
      say({ kind: await album.saveFile(file, nameOf(url), format) })
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      if (e.kind !== 'abort') say({ kind: 'FAILED', msg: e.detail })
    }
  }

  // ignore the state of a previously selected file
  return { load, saving: of === key ? saving : ({ kind: 'IDLE' } as const), save: () => void save() }
}
