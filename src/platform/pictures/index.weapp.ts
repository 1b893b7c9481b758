import Taro from '@tarojs/taro'
import { fitWithin, isPicture, MAGIC_BYTES_LENGTH } from '@/lib/picture'
import { isDeniedByPhone, missingConsent } from './hostError'
import { JPG_QUALITY, type PictureLimits, PictureRefused, type Pictures } from './port'

type OffscreenCanvas = ReturnType<typeof Taro.createOffscreenCanvas>

/** Uses callbacks, because Taro does not promisify this call. */
function choose(most: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    void Taro.chooseMedia({
      count: most,
      mediaType: ['image'],
      sourceType: ['album', 'camera'],
      // the host's "compressed" keeps EXIF on some phones; the picture is re-encoded anyway
      sizeType: ['original'],
      success: ({ tempFiles }) => resolve(tempFiles.slice(0, most).map((file) => file.tempFilePath)),
      fail: (e) =>
        e.errMsg.includes('cancel') ? resolve([]) : reject(new PictureRefused(missingConsent(e) ?? 'album')),
    })
  })
}

const head = (filePath: string) =>
  new Promise<Uint8Array>((resolve, reject) => {
    Taro.getFileSystemManager().readFile({
      filePath,
      position: 0,
      length: MAGIC_BYTES_LENGTH,
      success: ({ data }) => resolve(new Uint8Array(data as ArrayBuffer)),
      // the file is too short for a picture, or deleted
      fail: () => reject(new PictureRefused('kind')),
    })
  })

function load(canvas: OffscreenCanvas, file: string): Promise<Taro.Image> {
  return new Promise((resolve, reject) => {
    const image = canvas.createImage()
    image.onload = () => resolve(image)
    image.onerror = () => reject(new PictureRefused('broken'))
    image.src = file
  })
}

const toFile = (canvas: OffscreenCanvas) =>
  Taro.canvasToTempFilePath({ canvas: canvas as unknown as Taro.Canvas, fileType: 'jpg', quality: JPG_QUALITY }).then(
    ({ tempFilePath }) => tempFilePath,
    () => {
      // the host's limits of a canvas differ from phone to phone
      throw new PictureRefused('size')
    },
  )

async function redraw(file: string, limits: PictureLimits): Promise<string> {
  const canvas = Taro.createOffscreenCanvas({ type: '2d', width: 1, height: 1 })
  const image = await load(canvas, file)
  const { width, height } = fitWithin(image.width, image.height, limits)
  if (width * height > limits.maxPixels) throw new PictureRefused('size')
  Object.assign(canvas, { width, height })
  const pen = canvas.getContext('2d') as unknown as CanvasRenderingContext2D
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, width, height)
  pen.drawImage(image as unknown as HTMLImageElement, 0, 0, width, height)
  return toFile(canvas)
}

const sizeOf = (filePath: string) =>
  new Promise<number>((resolve, reject) => {
    Taro.getFileSystemManager().getFileInfo({
      filePath,
      success: ({ size }) => resolve(size),
      fail: () => reject(new PictureRefused('broken')),
    })
  })

export const pictures: Pictures = {
  choose,
  async prepare(file, limits) {
    if (!isPicture(await head(file))) throw new PictureRefused('kind')
    const made = await redraw(file, limits)
    if ((await sizeOf(made)) > limits.maxBytes) throw new PictureRefused('size')
    return made
  },
  openSettings() {
    // permissions denied to WeChat are in the phone's settings, those denied to the app in WeChat's
    if (isDeniedByPhone()) void Taro.openAppAuthorizeSetting({})
    else Taro.openSetting().catch(() => undefined)
  },
  // the host clears its temporary files itself
  release: () => undefined,
}
