import { pictures } from '.'
import type { PictureRefused } from './port'

const limits = { longSide: 1600, minWidth: 720, maxPixels: 10_000_000, maxBytes: 1000 }
const drawn: number[][] = []
const bytes = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0)).buffer

/** A phone with one photo of 4000 × 3000 whose file begins with `head`. */
function phone({
  head = '\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01',
  size = 900,
  opens = true,
  width = 4000,
  height = 3000,
} = {}) {
  const image = {
    width,
    height,
    onload: () => undefined,
    onerror: () => undefined,
    set src(_: string) {
      if (opens) this.onload()
      else this.onerror()
    },
  }
  const pen = {
    fillStyle: '',
    fillRect: () => undefined,
    drawImage: (_: unknown, ...place: number[]) => void drawn.push(place),
  }
  Object.assign(wx, {
    getFileSystemManager: () => ({
      readFile: ({ success }: { success(r: unknown): void }) => success({ data: bytes(head) }),
      getFileInfo: ({ success }: { success(r: unknown): void }) => success({ size }),
    }),
    createOffscreenCanvas: () => ({ width: 0, height: 0, createImage: () => image, getContext: () => pen }),
    canvasToTempFilePath: ({ success }: { success(r: unknown): void }) => success({ tempFilePath: 'wxfile://made' }),
  })
}

const kind = () =>
  pictures.prepare('wxfile://a', limits).then(
    () => 'made',
    (e: PictureRefused) => e.kind,
  )

it('draws a picture again: a photo with its long side at the limit, a long screenshot as wide as can be read', async () => {
  phone()
  expect(await pictures.prepare('wxfile://a', limits)).toBe('wxfile://made')
  phone({ width: 1080, height: 12_000 })
  await pictures.prepare('wxfile://a', limits)
  expect(drawn).toEqual([
    [0, 0, 1600, 1200],
    [0, 0, 720, 8000],
  ])
})

it.each([
  [{ head: 'MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00' }, 'kind'],
  [{ opens: false }, 'broken'],
  [{ size: 1001 }, 'size'],
  // 720 × 20000
  [{ width: 1080, height: 30_000 }, 'size'],
])('refuses %j: %s', async (what, why) => {
  phone(what)
  expect(await kind()).toBe(why)
})

it('gives what was chosen, and nothing when the user gives up', async () => {
  const chooseMedia = jest.fn(({ success }) => success({ tempFiles: [{ tempFilePath: 'a' }, { tempFilePath: 'b' }] }))
  Object.assign(wx, { chooseMedia })
  expect(await pictures.choose(1)).toEqual(['a'])
  expect(chooseMedia.mock.calls[0]?.[0]).toMatchObject({ count: 1, mediaType: ['image'] })
  const refuses = (errMsg: string) =>
    Object.assign(wx, { chooseMedia: ({ fail }: { fail(e: object): void }) => fail({ errMsg }) })
  refuses('chooseMedia:fail cancel')
  expect(await pictures.choose(9)).toEqual([])
  refuses('chooseMedia:fail api scope is not declared in the privacy agreement')
  await expect(pictures.choose(9)).rejects.toMatchObject({ kind: 'album' })
})
