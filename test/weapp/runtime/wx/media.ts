/** The album, temporary files, the offscreen canvas and uploads, with real pictures, decoded and drawn by the browser. */
import { during, phone, pictures } from '../state'
import { type Api, answer, calls, Refused } from './call'
import { reply, requireOnline, target } from './network'
import { guided } from './privacy'

const MAX_CHOSEN_FILES = 20
const files = new Map<string, Blob>()
let made = 0

function keep(blob: Blob, ending: string): string {
  const path = `http://tmp/${++made}.${ending}`
  files.set(path, blob)
  return path
}

function fileAt(path: string): Blob {
  const file = files.get(path)
  if (!file) throw new Refused(`no such file or directory ${path}`)
  return file
}

const addresses = new Map<string, string>()
/**
 * Sources of an `<image>`: temporary files are known to the app alone; other pictures come over the browser's own
 * network, whose cross-origin rules hold as on a phone that draws with Chromium.
 */
export function drawable(src: string): string {
  const file = files.get(src)
  if (!file) return src.startsWith(`${pictures.builtFor}/`) ? pictures.at + src.slice(pictures.builtFor.length) : src
  const known = addresses.get(src) ?? URL.createObjectURL(file)
  addresses.set(src, known)
  return known
}

interface Choice {
  count?: number
  mediaType?: string[]
}

async function chooseMedia({ count = 9, mediaType = ['image', 'video'] }: Choice) {
  await guided('chooseMedia')
  if (!phone.privacyDeclared) throw new Refused('api scope is not declared in the privacy agreement', 112)
  if (!phone.albumAllowed) throw new Refused('auth deny')
  if (count < 1 || count > MAX_CHOSEN_FILES) throw new Refused(`parameter error: parameter.count ${count}`)
  if (!mediaType.includes('image')) throw new Refused('parameter error: parameter.mediaType')
  if (!phone.album) throw new Refused('cancel')
  const tempFiles = phone.album.slice(0, count).map((base64) => {
    const blob = new Blob([bytesOf(base64)])
    return { tempFilePath: keep(blob, 'jpg'), size: blob.size, fileType: 'image' }
  })
  return { tempFiles, type: 'image' }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))

async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let start = 0; start < bytes.length; start += 8192)
    text += String.fromCharCode(...bytes.subarray(start, start + 8192))
  return btoa(text)
}

/** An image of a canvas, which has a size once it is loaded. */
class CanvasImage {
  readonly picture = new Image()
  onload?: () => void
  onerror?: (error: unknown) => void
  width = 0
  height = 0

  set src(path: string) {
    this.picture.onload = () => {
      this.width = this.picture.naturalWidth
      this.height = this.picture.naturalHeight
      this.onload?.()
    }
    this.picture.onerror = () => this.onerror?.({ errMsg: 'image load fail' })
    this.picture.src = drawable(path)
  }
}

class Canvas {
  readonly paper = document.createElement('canvas')

  get width() {
    return this.paper.width
  }
  set width(px: number) {
    this.paper.width = px
  }
  get height() {
    return this.paper.height
  }
  set height(px: number) {
    this.paper.height = px
  }

  createImage() {
    return new CanvasImage()
  }

  getContext() {
    const pen = this.paper.getContext('2d') as CanvasRenderingContext2D
    return {
      set fillStyle(colour: string) {
        pen.fillStyle = colour
      },
      fillRect: (...place: [number, number, number, number]) => pen.fillRect(...place),
      drawImage: (image: CanvasImage, ...place: [number, number, number, number]) =>
        pen.drawImage(image.picture, ...place),
    }
  }
}

interface Export {
  canvas: Canvas
  fileType?: 'jpg' | 'png'
  quality?: number
}

async function canvasToTempFilePath({ canvas, fileType = 'png', quality = 1 }: Export) {
  if (!(canvas instanceof Canvas)) throw new Refused('canvas is empty')
  const type = fileType === 'jpg' ? 'image/jpeg' : 'image/png'
  const blob = await new Promise<Blob | null>((resolve) => void canvas.paper.toBlob(resolve, type, quality))
  if (!blob) throw new Refused('create bitmap failed')
  return { tempFilePath: keep(blob, fileType) }
}

interface Part {
  filePath: string
  position?: number
  length?: number
}

const fileSystem = calls({
  readFile: async ({ filePath, position = 0, length }: Part) => {
    const file = fileAt(filePath)
    const end = length === undefined ? file.size : position + length
    if (end > file.size) throw new Refused('the value of "length" is out of range')
    return { data: await file.slice(position, end).arrayBuffer() }
  },
  getFileInfo: ({ filePath }: Part) => ({ size: fileAt(filePath).size }),
})

interface Upload {
  url: string
  filePath: string
  name: string
  formData?: Record<string, string>
  header?: Record<string, string>
  timeout?: number
}

let nextId = -1

/** Fields first and the file last, as WeChat sends them. */
function uploadFile(options: Upload) {
  const id = nextId--
  const listeners = new Set<(p: { progress: number }) => void>()
  const heard = new Set<(h: { header: object }) => void>()
  const send = async () => {
    const { url, filePath, name, formData = {}, header = {}, timeout = 60_000 } = options
    const { href } = target(url)
    requireOnline()
    const form = { name, fields: formData, file: await base64Of(fileAt(filePath)) }
    const sent = { id, url: href, method: 'POST', headers: header, body: undefined, form, timeoutMs: timeout }
    const { statusCode, data, header: answered } = reply(await window.hostHttp(sent), 'text')
    for (const listener of heard) listener({ header: answered })
    for (const listener of listeners) listener({ progress: 100 })
    return { statusCode, data }
  }
  void answer('uploadFile', { complete: () => undefined, ...options }, during(Promise.resolve().then(send)))
  return {
    abort: () => void window.hostAbort(id),
    onProgressUpdate: (listener: (p: { progress: number }) => void) => void listeners.add(listener),
    offProgressUpdate: (listener: (p: { progress: number }) => void) => void listeners.delete(listener),
    onHeadersReceived: (listener: (h: { header: object }) => void) => void heard.add(listener),
    offHeadersReceived: (listener: (h: { header: object }) => void) => void heard.delete(listener),
  }
}

export const mediaApi: Record<string, Api> = {
  ...calls({ chooseMedia, canvasToTempFilePath }),
  createOffscreenCanvas: ({ width, height }: { width: number; height: number }) =>
    Object.assign(new Canvas(), { width, height }),
  getFileSystemManager: () => fileSystem,
  uploadFile: uploadFile as Api,
}
