import { useEffect, useReducer, useRef, useState } from 'react'
import { pictureLimits } from '@/contract/constants'
import { type AbortableSignal, createAbortableSignal } from '@/lib/abortableSignal'
import { dialog } from '@/platform/dialog'
import { createQueue } from '@/platform/dialog/port'
import { imagePreview } from '@/platform/imagePreview'
import { pictures } from '@/platform/pictures'
import { PictureRefused } from '@/platform/pictures/port'
import { ApiError } from './error'
import { files } from './index'
import type { UploadScene } from './upload'

const errorTexts = {
  kind: '不是 jpg、png 或 webp 图片',
  broken: '这张图片打不开',
  size: '图片太大或太长，请分成几张上传',
  album: '打不开相册，请稍后再试',
  denied: '没有相册或相机的使用权限，允许后才能添加图片',
  privacy: '您没有同意微信的隐私保护指引，暂时不能选择图片',
} as const
const FAILED = '上传失败'
const UPLOADING = '图片还在上传，请稍候'
const SOME_FAILED = '有图片上传失败，请重试或删除'

/**
 * Lets the user choose pictures; explains if that is not possible and how to change it. Empty when there is
 * nothing to send.
 * @param again repeats the choice after the user has accepted the host's privacy guide
 */
export async function choosePictures(max: number, again: () => void): Promise<string[]> {
  try {
    return await pictures.choose(max)
  } catch (e) {
    if (!(e instanceof PictureRefused)) throw e
    const { kind } = e
    const actions = {
      denied: { label: '去设置', run: pictures.openSettings },
      privacy: { label: '重新授权', run: again },
    }
    dialog.toast(errorTexts[kind], kind === 'denied' || kind === 'privacy' ? actions[kind] : undefined)
    return []
  }
}

/** One picture as shown: uploaded ones by their key, others while they are being uploaded. */
export interface PictureItem {
  id: string
  /** URL; undefined while it is not known */
  src: string | undefined
  state: 'done' | 'busy' | 'failed'
  /** 0 to 100 */
  percent: number
  /** why it failed; a retry can only help if `again` */
  reason?: string
  again?: boolean
}

interface Job extends PictureItem {
  src: string
  signal: AbortableSignal
}

/** Local files chosen in this session, so that uploaded pictures are shown without a download. */
const localUrls = new Map<string, string>()

/** URLs of pictures uploaded in an earlier session. */
function useUploadedUrls(keys: readonly string[], scene: UploadScene) {
  const [uploadedUrls, setUploadedUrls] = useState<Record<string, string>>({})
  const requested = useRef(new Set<string>())
  const [signal] = useState(createAbortableSignal)
  useEffect(() => () => signal.abort(), [signal])
  useEffect(() => {
    for (const key of keys) {
      if (localUrls.has(key) || requested.current.has(key)) continue
      requested.current.add(key)
      files.pictureUrl(key, scene, signal).then(
        (url) => url && setUploadedUrls((old) => ({ ...old, [key]: url })),
        // keep a placeholder and try again next time
        () => requested.current.delete(key),
      )
    }
  }, [keys, scene, signal])
  return uploadedUrls
}

/** URLs of uploaded pictures in their order; undefined while not known. */
export function usePictureUrls(keys: readonly string[], scene: UploadScene): (string | undefined)[] {
  const uploadedUrls = useUploadedUrls(keys, scene)
  return keys.map((key) => localUrls.get(key) ?? uploadedUrls[key])
}

interface Options {
  scene: UploadScene
  /** keys of uploaded pictures in their order */
  keys: readonly string[]
  onKeys: (keys: string[]) => void
  max: number
}

/**
 * Pictures of a field: chosen, scaled down and stripped of metadata on the device, uploaded one at a time (memory holds
 * one large photo), shown with progress; each can be cancelled, retried and removed. Running uploads
 * are cancelled on unmount.
 */
export function usePictures({ scene, keys, onKeys, max }: Options) {
  const newest = useRef({ keys, onKeys })
  newest.current = { keys, onKeys }
  const [turn] = useState(createQueue)
  const jobs = useRef<Job[]>([])
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const uploadedUrls = useUploadedUrls(keys, scene)
  useEffect(
    () => () => {
      for (const job of jobs.current) job.signal.abort()
    },
    [],
  )

  const write = (next: string[]) => {
    newest.current.keys = next
    newest.current.onKeys(next)
  }
  const change = (job: Job, part: Partial<Job>) => {
    Object.assign(job, part)
    redraw()
  }
  const drop = (job: Job) => {
    jobs.current = jobs.current.filter((running) => running !== job)
    redraw()
  }
  const failed = (job: Job, e: unknown) => {
    if (job.signal.aborted) return
    if (e instanceof PictureRefused) change(job, { state: 'failed', reason: errorTexts[e.kind], again: false })
    else change(job, { state: 'failed', reason: (e instanceof ApiError && e.serverMsg) || FAILED, again: true })
  }

  const send = async (job: Job) => {
    if (job.signal.aborted) return
    try {
      const small = await pictures.prepare(job.src, pictureLimits)
      const onProgress = (percent: number) => change(job, { percent })
      const key = await files.upload(small, scene, { signal: job.signal, onProgress })
      localUrls.set(key, small)
      drop(job)
      write([...newest.current.keys, key])
    } catch (e) {
      failed(job, e)
    }
  }

  const find = (id: string) => jobs.current.find((job) => job.id === id)
  const items: PictureItem[] = [
    ...keys.map(
      (key): PictureItem => ({ id: key, src: localUrls.get(key) ?? uploadedUrls[key], state: 'done', percent: 100 }),
    ),
    ...jobs.current,
  ]

  async function add() {
    const chosen = await choosePictures(max - keys.length - jobs.current.length, () => void add())
    const added = chosen.map(
      (src): Job => ({ id: src, src, state: 'busy', percent: 0, signal: createAbortableSignal() }),
    )
    jobs.current = [...jobs.current, ...added]
    redraw()
    for (const job of added) void turn(() => send(job))
  }
  /** Props of `ui/ImagePicker` without its texts. */
  const picker = {
    items,
    max,
    onAdd: () => void add(),
    onAgain(id: string) {
      const job = find(id)
      if (!job) return
      change(job, { state: 'busy', percent: 0, reason: undefined })
      void turn(() => send(job))
    },
    /** Cancels a running upload or removes an uploaded picture. */
    onRemove(id: string) {
      const job = find(id)
      if (!job) return write(keys.filter((key) => key !== id))
      job.signal.abort()
      pictures.release(job.src)
      drop(job)
    },
    onView(id: string) {
      const seen = items.flatMap(({ state, src }) => (state === 'done' && src ? [src] : []))
      imagePreview.open(seen, items.find((item) => item.id === id)?.src)
    },
  }
  const any = (state: PictureItem['state']) => items.some((item) => item.state === state)
  return {
    picker,
    /** why the form cannot be sent yet */
    pending: any('busy') ? UPLOADING : any('failed') ? SOME_FAILED : undefined,
  }
}
