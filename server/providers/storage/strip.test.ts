import { jpeg, pictures, png, webp } from '../../test/pictures'
import { orientationSegment } from './formats/orientation'
import { readPicture, type StrippedPicture } from './picture'

/** Metadata about the owner (place, device, time, thumbnail, text), none of which may be stored. */
const look = (file: Buffer): Promise<StrippedPicture | undefined> =>
  readPicture({
    stat: async () => ({ size: file.length }),
    read: async (into, offset, length, position) => file.copy(into, offset, position, position + length),
  })

async function stripped(file: Buffer): Promise<{ bytes: Buffer; picture: StrippedPicture }> {
  const picture = await look(file)
  if (!picture) throw new Error('no picture')
  const parts: Buffer[] = []
  for await (const part of picture.bytes()) parts.push(part)
  const bytes = Buffer.concat(parts)
  expect(bytes.length).toBe(picture.size)
  return { bytes, picture }
}

/** Exif as written by a camera: orientation, maker and place. */
function exif(orientation: number, order: 'II' | 'MM' = 'II'): Buffer {
  const tiff = Buffer.alloc(200)
  const short = (value: number, at: number) =>
    order === 'II' ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at)
  const long = (value: number, at: number) =>
    order === 'II' ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at)
  tiff.write(order, 'latin1')
  short(42, 2)
  long(8, 4)
  short(3, 8)
  const entry = (n: number, tag: number, type: number, count: number) => {
    const at = 10 + 12 * n
    short(tag, at)
    short(type, at + 2)
    long(count, at + 4)
    return at + 8
  }
  long(60, entry(0, 0x010f, 2, 12))
  short(orientation, entry(1, 0x0112, 3, 1))
  long(80, entry(2, 0x8825, 4, 1))
  tiff.write('SecretPhone9', 60, 'latin1')
  tiff.write('GPS 31.2304N 121.4737E', 90, 'latin1')
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
}
const segment = (marker: number, data: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255]), data])
const jpegWith = (...parts: Buffer[]) => Buffer.concat([jpeg.subarray(0, 2), ...parts, jpeg.subarray(2)])
const secrets = /Exif|SecretPhone|GPS|31\.2304|xpacket|ICC_PROFILE|secret words|FPXR/

describe('jpeg', () => {
  const xmp = Buffer.from('http://ns.adobe.com/xap/1.0/\0<?xpacket begin=""?>secret words')
  const notes = [
    segment(0xe1, exif(1)),
    segment(0xe1, xmp),
    segment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01secret words', 'latin1')),
    segment(0xe2, Buffer.from('FPXR\0secret words')),
    segment(0xed, Buffer.from('Photoshop 3.0\0secret words')),
    segment(0xfe, Buffer.from('secret words')),
    segment(0xf3, Buffer.from('secret words')),
  ]

  test('loses its notes and keeps every byte that is drawn', async () => {
    const dirty = jpegWith(...notes)
    expect(dirty.toString('latin1')).toMatch(secrets)
    const { bytes, picture } = await stripped(dirty)
    expect(bytes.equals(jpeg)).toBe(true)
    expect(picture.bare).toBe(false)
  })

  test('of which nothing has to go stays as it is, to the byte', async () => {
    for (const file of Object.values(pictures)) {
      const first = await stripped(file)
      const again = await stripped(first.bytes)
      expect([again.picture.bare, again.bytes.equals(first.bytes)]).toEqual([true, true])
    }
    expect((await look(jpeg))?.bare).toBe(true)
  })

  test.each([2, 3, 6, 8])('that was taken turned (%d) still says so, and nothing else', async (orientation) => {
    for (const order of ['II', 'MM'] as const) {
      const { bytes } = await stripped(jpegWith(segment(0xe1, exif(orientation, order)), segment(0xe1, xmp)))
      expect(bytes.toString('latin1')).not.toMatch(/SecretPhone|GPS|xpacket/)
      const expected = Buffer.concat([jpeg.subarray(0, 2), orientationSegment(orientation), jpeg.subarray(2)])
      expect(bytes.equals(expected)).toBe(true)
      expect((await look(bytes))?.bare).toBe(true)
    }
  })

  test.each([
    ['cut off', exif(6).subarray(0, 20)],
    ['an offset outside', Buffer.concat([Buffer.from('Exif\0\0II*\0\xff\xff\xff\x7f', 'latin1'), Buffer.alloc(20)])],
    [
      'thousands of entries',
      Buffer.concat([Buffer.from('Exif\0\0II*\0\x08\0\0\0\xff\xff', 'latin1'), Buffer.alloc(20)]),
    ],
    ['an orientation that is none', exif(99)],
    ['no order', Buffer.from('Exif\0\0XX*\0\x08\0\0\0\0\0', 'latin1')],
  ])('with damaged Exif (%s) is a picture without it', async (_name, data) => {
    expect((await stripped(jpegWith(segment(0xe1, data)))).bytes.equals(jpeg)).toBe(true)
  })

  test('of many scans, each as much work as a picture, is refused', async () => {
    const { progressive } = pictures
    const end = progressive.length - 2
    const scan = progressive.subarray(progressive.lastIndexOf(Buffer.from([0xff, 0xda])), end)
    const scanned = (more: number) =>
      Buffer.concat([progressive.subarray(0, end), ...Array<Buffer>(more).fill(scan), progressive.subarray(end)])
    expect((await look(scanned(10)))?.bare).toBe(true)
    expect(await look(scanned(40))).toBeUndefined()
  })

  test('a thumbnail in the JFIF head goes, the mark of Adobe’s colours stays', async () => {
    const adobe = segment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\x01', 'latin1'))
    const jfif = Buffer.concat([Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\x01\x01', 'latin1'), Buffer.from('abc')])
    const { bytes } = await stripped(jpegWith(segment(0xe0, jfif), adobe))
    expect(bytes.equals(jpegWith(adobe))).toBe(true)
  })
})

describe('png', () => {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, data, Buffer.alloc(4)])
  }
  const afterHead = 8 + 25
  const pngWith = (...parts: Buffer[]) => Buffer.concat([png.subarray(0, afterHead), ...parts, png.subarray(afterHead)])
  const typesOf = (file: Buffer) => {
    const types: string[] = []
    for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
      types.push(file.toString('latin1', at + 4, at + 8))
    return types
  }

  test('keeps what is drawn: head, palette, transparency, data, end', async () => {
    const words = Buffer.from('Comment\0secret words')
    const notes = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'iCCP', 'tIME', 'pHYs', 'acTL', 'prIV'].map((type) =>
      chunk(type, words),
    )
    const drawn = [chunk('PLTE', Buffer.alloc(3)), chunk('tRNS', Buffer.alloc(1))]
    const { bytes } = await stripped(pngWith(...notes, ...drawn))
    expect(typesOf(bytes)).toEqual(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
    expect(bytes.toString('latin1')).not.toMatch(secrets)
  })
})

describe('webp', () => {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8)
    head.write(type, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
  }
  const riff = (...chunks: Buffer[]) => {
    const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
    const head = Buffer.alloc(8)
    head.write('RIFF')
    head.writeUInt32LE(body.length, 4)
    return Buffer.concat([head, body])
  }
  const vp8 = webp.subarray(12)
  // 8 by 8 pixels
  const extended = (flags: number) => chunk('VP8X', Buffer.from([flags, 0, 0, 0, 7, 0, 0, 7, 0, 0]))

  test('loses Exif, XMP, profile and unknown chunks, and announces none of them', async () => {
    const notes = ['EXIF', 'XMP ', 'ICCP', 'NOTE'].map((type) => chunk(type, Buffer.from('secret words')))
    const { bytes } = await stripped(riff(extended(0x2c), ...notes.slice(2), vp8, ...notes.slice(0, 2)))
    expect(bytes.equals(riff(extended(0), vp8))).toBe(true)
  })

  test('is not an animation, which a browser draws for as long as it is on show', async () => {
    const frame = chunk('ANMF', Buffer.concat([Buffer.alloc(16), vp8]))
    expect(await look(riff(extended(2), chunk('ANIM', Buffer.alloc(6)), frame))).toBeUndefined()
    expect(await look(riff(extended(2), vp8, frame))).toBeUndefined()
  })
})
