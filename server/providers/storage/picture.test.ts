import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { pngChunk } from '../../rendering/chunk'
import { impostors, jpeg, jpegOf, pictures, webp } from '../../test/pictures'
import { cleanPicture, closePictureThreads } from './picture'
import { MAX_SIZE } from './port'

afterAll(closePictureThreads)

/** The type of the bytes; undefined if they are refused as no picture. */
const look = (bytes: Buffer): Promise<string | undefined> =>
  cleanPicture([bytes]).then(
    ({ type }) => type,
    (error: { code?: string }) => (error.code === 'UPLOAD_TYPE' ? undefined : Promise.reject(error)),
  )

/** A one-colour PNG of this many bits, without data if there are none. */
function pngOf(width: number, height: number, { notes = 0, data = Buffer.alloc(0) } = {}): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head[8] = 1
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', head),
    ...Array<Buffer>(notes).fill(pngChunk('teXt', Buffer.alloc(0))),
    ...(data.length ? [pngChunk('IDAT', data)] : []),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
const changed = (file: Buffer, change: (copy: Buffer) => void) => {
  const copy = Buffer.from(file)
  change(copy)
  return copy
}
const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' }, limitInputPixels: false })

test.each(Object.entries(pictures))('%s is a picture', async (name, file) => {
  expect(await look(file)).toBe(`image/${{ progressive: 'jpeg', lossless: 'webp' }[name] ?? name}`)
})

test('the largest file of a picture is accepted', async () => {
  expect(await look(await jpegOf(MAX_SIZE))).toBe('image/jpeg')
})

test.each(Object.entries(impostors))('%s is not a picture', async (_name, file) => {
  expect(await look(file)).toBeUndefined()
})

const many = (part: number[], bytes = 9_000_000) => Buffer.alloc(bytes - (bytes % part.length), Buffer.from(part))
const startedBy = (...parts: (number[] | string | Buffer)[]) =>
  Buffer.concat([
    jpeg.subarray(0, 2),
    ...parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    jpeg.subarray(2),
  ])
const { progressive } = pictures
const scan = progressive.subarray(progressive.lastIndexOf(Buffer.from([0xff, 0xda])), progressive.length - 2)
const page = '<script>alert(1)</script>'
const bit = deflateSync(Buffer.from([0, 0]))

test.each<[string, Buffer]>([
  ['a png of empty notes', pngOf(1, 1, { notes: 300_000, data: bit })],
  ['a jpeg of empty notes', Buffer.concat([jpeg.subarray(0, 2), many([0xff, 0xfe, 0, 2]), jpeg.subarray(2)])],
  ['a jpeg of empty scans', Buffer.concat([jpeg.subarray(0, -2), many([0xff, 0xda, 0, 2]), jpeg.subarray(-2)])],
  [
    'a webp of empty chunks',
    changed(Buffer.concat([webp, many([0x4e, 0x4f, 0x54, 0x45, 0, 0, 0, 0])]), (file) =>
      file.writeUInt32LE(file.length - 8, 4),
    ),
  ],
  [
    'a jpeg of many scans, each as much work as a picture',
    Buffer.concat([progressive.subarray(0, -2), ...Array<Buffer>(1000).fill(scan), progressive.subarray(-2)]),
  ],
  // a decoder skips the second FF and draws 65535 by 65535, while a parser that reads lengths skips 49152 bytes
  ['a frame behind a fill byte', startedBy([0xff, 0xff, 0xc0, 0], [17, 8, 255, 255, 255, 255], Buffer.alloc(49_144))],
  ['a page behind an early end', startedBy([0xff, 0xd9, 0, page.length + 2], page)],
  ['a page behind a second start', startedBy([0xff, 0xd8, 0, page.length + 2], page)],
  ['a page behind a restart', startedBy([0xff, 0xd3, 0, page.length + 2], page)],
  ['a page in a table', startedBy([0xff, 0xdd, 0, page.length + 2], page)],
  [
    'a jpeg that draws nothing',
    Buffer.concat([jpeg.subarray(0, jpeg.indexOf(Buffer.from([0xff, 0xda]))), jpeg.subarray(-2)]),
  ],
  ['a png that draws nothing', pngOf(1, 1)],
  ['a png without sides', pngOf(0, 10, { data: bit })],
  ['a png of the largest sides it can name', pngOf(2_147_483_647, 2_147_483_647, { data: bit })],
  ['a gif', Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')],
])('%s is refused within two seconds', async (_name, file) => {
  const start = performance.now()
  expect(await look(file)).toBeUndefined()
  expect(performance.now() - start).toBeLessThan(2000)
})

test.each(['png', 'jpeg', 'webp'] as const)('%s: pixels are counted before it is decoded', async (format) => {
  const quick = format === 'webp' ? { effort: 0 } : {}
  expect(await look(await blank(1500, 16_000).toFormat(format, quick).toBuffer())).toBe(`image/${format}`)
  const file = await blank(4900, 4900).toFormat(format, quick).toBuffer()
  await expect(cleanPicture([file])).rejects.toMatchObject({
    ...{ code: 'UPLOAD_TYPE', message: '图片不能超过 2400 万像素，请缩小或截取后再上传' },
  })
})

test('an animation, which a browser draws for as long as it is shown, is refused', async () => {
  const frames = [await blank(8, 8).png().toBuffer(), pictures.webp]
  expect(
    await look(
      await sharp(frames, { join: { animated: true } })
        .webp()
        .toBuffer(),
    ),
  ).toBeUndefined()
})

test.each(['jpeg', 'png', 'webp'] as const)(
  '%s loses place, device, profile and words, and is turned as the camera was held',
  async (format) => {
    const words = 'SecretPhone GPS 31.2304N'
    const dirty = await blank(40, 20)
      .withExif({ IFD0: { Make: words, Artist: words }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '31/1 13/1 49/1' } })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf>${words}</rdf></x:xmpmeta>`)
      .withIccProfile('p3')
      .withMetadata({ orientation: 6 })
      .toFormat(format)
      .toBuffer()
    expect(dirty.toString('latin1')).toContain('SecretPhone')
    const bytes = Buffer.from((await cleanPicture([dirty])).bytes)
    const { exif, xmp, icc, iptc, width, height, orientation } = await sharp(bytes).metadata()
    expect([exif, xmp, icc, iptc, orientation]).toEqual([undefined, undefined, undefined, undefined, undefined])
    expect([width, height]).toEqual([20, 40])
    expect(bytes.toString('latin1')).not.toMatch(/Exif|SecretPhone|GPS/)
  },
)

test('the same file is encoded to the same bytes, so that an upload can be repeated', async () => {
  const [first, second] = await Promise.all([cleanPicture([jpeg]), cleanPicture([jpeg])])
  expect(first.bytes).toEqual(second.bytes)
})
