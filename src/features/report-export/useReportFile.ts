import { useRef, useState } from 'react'
import { ApiError, api, files } from '@/api'
import { useCall } from '@/api/useCall'
import type { Req } from '@/contract/types'
import { album } from '@/platform/album'
import type { FileKind, SaveOutcome } from '@/platform/album/port'
import { usePageSignal } from '@/router/pageContext'

export const hideableFields = ['NICK', 'RANGE'] as const
export type HideableField = (typeof hideableFields)[number]

export interface ExportRequest {
  orderId: string
  format: FileKind
  hide: readonly HideableField[]
}

/** Progress or outcome of saving. `msg`: the reason of a failure, from the server or the network. */
export type SaveState = { kind: 'IDLE' } | { kind: 'BUSY'; percent: number } | { kind: SaveOutcome; msg?: string }

const requestOf = ({ orderId, format, hide }: ExportRequest): Req<'evaluation', 'reportImage'> => ({
  orderId,
  format,
  ...(hide.length > 0 && { hide: hide.join(',') }),
})

/** File name from the URL, whose last segment is the report's number. */
const nameOf = (url: string) => `gujia-${url.slice(url.lastIndexOf('/') + 1)}`

/** One exported file of a report: the server renders it on request, the user then saves it to the device. */
export function useReportFile(request: ExportRequest) {
  const signal = usePageSignal()
  const req = requestOf(request)
  const key = `file:${request.orderId}:${request.format}:${request.hide.join()}`
  const load = useCall('evaluation', 'reportImage', req)
  const [{ of, saving }, set] = useState<{ of: string; saving: SaveState }>({ of: key, saving: { kind: 'IDLE' } })
  /** the file that was downloaded last; the same one is not downloaded again */
  const downloaded = useRef<{ of: string; file: string; name: string }>()
  const say = (next: SaveState) => set({ of: key, saving: next })

  async function download() {
    if (downloaded.current?.of === key) return downloaded.current
    // request a fresh URL: they expire after 15 minutes and the page may have been open longer
    const { url } = await api.evaluation.reportImage(req, { quiet: true, signal })
    const file = await files.download(url, { signal, onProgress: (percent) => say({ kind: 'BUSY', percent }) })
    const answer = { of: key, file, name: nameOf(url) }
    // a browser releases its file once that has been saved
    if (album.method() === 'album') downloaded.current = answer
    return answer
  }

  async function save() {
    say({ kind: 'BUSY', percent: 0 })
    try {
      const { file, name } = await download()
      const kind = await album.saveFile(file, name, request.format)
      // the host may have deleted the temporary file
      if (kind === 'FAILED') downloaded.current = undefined
      say({ kind })
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      if (e.kind !== 'abort') say({ kind: 'FAILED', msg: e.detail })
    }
  }

  // ignore the state of a previously selected file
  return { load, saving: of === key ? saving : ({ kind: 'IDLE' } as const), save: () => void save() }
}
