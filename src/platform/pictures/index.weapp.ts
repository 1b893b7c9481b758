import { isPicture, PICTURE_HEAD, shrunk } from '@/lib/picture'
import { JPG_QUALITY, type PictureFault, PictureRefused, type Pictures } from './port'

/** WeChat's number for a privacy guide the user did not agree to */
const GUIDE_REFUSED = 104

/** The host's words: `fail auth deny`, `fail:auth denied`, `fail system permission denied`, `fail no permission`. */
function faultOf({ errMsg, errno }: WxFailure): PictureFault {
  if (errno === GUIDE_REFUSED || /privacy permission/i.test(errMsg)) return 'privacy'
  return /auth\w* den|permission denied|no permission/i.test(errMsg) ? 'denied' : 'album'
}

function choose(most: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    wx.chooseMedia({
      count: most,
      mediaType: ['image'],
      sourceType: ['album', 'camera'],
      // the host's own "compressed" keeps EXIF on some phones; ours is drawn anew anyway
      sizeType: ['original'],
      success: ({ tempFiles }) => resolve(tempFiles.slice(0, most).map((file) => file.tempFilePath)),
      fail: (e) => (e.errMsg.includes('cancel') ? resolve([]) : reject(new PictureRefused(faultOf(e)))),
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
  openSettings() {
    // what the phone forbids WeChat stands in the phone's settings, what WeChat forbids the app in WeChat's
    const { albumAuthorized, cameraAuthorized } = wx.getAppAuthorizeSetting()
    if (albumAuthorized === 'denied' || cameraAuthorized === 'denied') wx.openAppAuthorizeSetting({})
    else wx.openSetting({ success: () => undefined, fail: () => undefined })
  },
  // the host clears its temporary files itself
  forget: () => undefined,
}
