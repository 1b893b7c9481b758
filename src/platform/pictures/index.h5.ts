import { fitWithin, isPicture, MAGIC_BYTES_LENGTH } from '@/lib/picture'
import { JPG_QUALITY, type PictureLimits, PictureRefused, type Pictures } from './port'

const KINDS = 'image/jpeg,image/png,image/webp'

function choose(most: number): Promise<string[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    Object.assign(input, { type: 'file', accept: KINDS, multiple: most > 1 })
    input.style.display = 'none'
    const end = (files: string[]) => {
      input.remove()
      resolve(files)
    }
    input.addEventListener('change', () => {
      end([...(input.files ?? [])].slice(0, most).map((file) => URL.createObjectURL(file)))
    })
    input.addEventListener('cancel', () => end([]))
    // older Safari versions require the input to be in the document
    document.body.append(input)
    input.click()
  })
}

/** FileReader instead of `blob.arrayBuffer()`, which older Safaris lack. */
function read(blob: Blob): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(new Uint8Array(reader.result as ArrayBuffer))
    reader.onerror = () => reject(new PictureRefused('broken'))
    reader.readAsArrayBuffer(blob)
  })
}

function load(file: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image()
    image.onload = () => resolve(image)
    image.onerror = () => reject(new PictureRefused('broken'))
    image.src = file
  })
}

/** Images loaded through an element are drawn with their EXIF orientation applied. */
async function redraw(file: string, limits: PictureLimits): Promise<Blob> {
  const image = await load(file)
  const { width, height } = fitWithin(image.naturalWidth, image.naturalHeight, limits)
  if (width * height > limits.maxPixels) throw new PictureRefused('size')
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const pen = canvas.getContext('2d')
  if (!pen) throw new PictureRefused('broken')
  // JPEG has no transparency: fill with white instead of black
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, width, height)
  pen.drawImage(image, 0, 0, width, height)
  const blob = await new Promise<Blob | null>((resolve) => void canvas.toBlob(resolve, 'image/jpeg', JPG_QUALITY))
  if (!blob) throw new PictureRefused('size')
  return blob
}

export const pictures: Pictures = {
  // a browser's file chooser requires no permission
  openSettings: () => undefined,
  choose,
  async prepare(file, limits) {
    // a `blob:` URL of this page: no network request, and Taro.request cannot return a Blob
    const original = await (await fetch(file)).blob()
    if (!isPicture(await read(original.slice(0, MAGIC_BYTES_LENGTH)))) throw new PictureRefused('kind')
    const blob = await redraw(file, limits)
    if (blob.size > limits.maxBytes) throw new PictureRefused('size')
    return URL.createObjectURL(blob)
  },
  release: (file) => URL.revokeObjectURL(file),
}
