import { isPicture, PICTURE_HEAD, shrunk } from '@/lib/picture'
import { JPG_QUALITY, PictureRefused, type Pictures } from './port'

function choose(most: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    wx.chooseMedia({
      count: most,
      mediaType: ['image'],
      sourceType: ['album', 'camera'],
      // the host's own "compressed" keeps EXIF on some phones; ours is drawn anew anyway
      sizeType: ['original'],
      success: ({ tempFiles }) => resolve(tempFiles.slice(0, most).map((file) => file.tempFilePath)),
      // anything but giving up: no permission for the album, or not named in the privacy agreement
      fail: ({ errMsg }) => (errMsg.includes('cancel') ? resolve([]) : reject(new PictureRefused('album'))),
    })
  })
}

const head = (filePath: string) =>
  new Promise<Uint8Array>((resolve, reject) => {
    wx.getFileSystemManager().readFile({
      filePath,
      position: 0,
      length: PICTURE_HEAD,
      success: ({ data }) => resolve(new Uint8Array(data)),
      // shorter than any picture, or gone
      fail: () => reject(new PictureRefused('kind')),
    })
  })

function load(canvas: WxCanvas, file: string): Promise<WxImage> {
  return new Promise((resolve, reject) => {
    const image = canvas.createImage()
    image.onload = () => resolve(image)
    image.onerror = () => reject(new PictureRefused('broken'))
    image.src = file
  })
}

const toFile = (canvas: WxCanvas) =>
  new Promise<string>((resolve, reject) => {
    wx.canvasToTempFilePath({
      canvas,
      fileType: 'jpg',
      quality: JPG_QUALITY,
      success: (r) => resolve(r.tempFilePath),
      fail: () => reject(new PictureRefused('broken')),
    })
  })

async function redraw(file: string, longSide: number): Promise<string> {
  const canvas = wx.createOffscreenCanvas({ type: '2d', width: 1, height: 1 })
  const image = await load(canvas, file)
  const { width, height } = shrunk(image.width, image.height, longSide)
  Object.assign(canvas, { width, height })
  const pen = canvas.getContext('2d')
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, width, height)
  pen.drawImage(image, 0, 0, width, height)
  return toFile(canvas)
}

const sizeOf = (filePath: string) =>
  new Promise<number>((resolve, reject) => {
    wx.getFileSystemManager().getFileInfo({
      filePath,
      success: ({ size }) => resolve(size),
      fail: () => reject(new PictureRefused('broken')),
    })
  })

export const pictures: Pictures = {
  choose,
  async prepare(file, { longSide, maxBytes }) {
    if (!isPicture(await head(file))) throw new PictureRefused('kind')
    const made = await redraw(file, longSide)
    if ((await sizeOf(made)) > maxBytes) throw new PictureRefused('size')
    return made
  },
  // the host clears its temporary files itself
  forget: () => undefined,
}
