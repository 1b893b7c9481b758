/** Small valid pictures made by real encoders, and files that only resemble pictures. */
import sharp from 'sharp'

const of = (text: string) => Buffer.from(text, 'base64')

export const jpeg = of(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAaEAACAgMAAAAAAAAAAAAAAAAAAQIRAwQi/8QAFQEBAQAAAAAAAAAAAAAAAAAAAwb/xAAcEQACAgIDAAAAAAAAAAAAAAABAgAEAwURFSH/2gAMAwEAAhEDEQA/AJbFtNQk66SumgAVa6epkJLrzF7W0vgaf//Z',
)
const progressive = of(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wgARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAVAQEBAAAAAAAAAAAAAAAAAAACBf/aAAwDAQACEAMQAAABkio//8QAFhAAAwAAAAAAAAAAAAAAAAAAAAEC/9oACAEBAAEFAnR//8QAFxEAAwEAAAAAAAAAAAAAAAAAAAEDBP/aAAgBAwEBPwFaqH//xAAYEQACAwAAAAAAAAAAAAAAAAAAAxEUMf/aAAgBAgEBPwGmqMP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAY/An//xAAWEAEBAQAAAAAAAAAAAAAAAAABABH/2gAIAQEAAT8hwS//2gAMAwEAAgADAAAAEPf/xAAWEQEBAQAAAAAAAAAAAAAAAAABACH/2gAIAQMBAT8QCY3/xAAWEQEBAQAAAAAAAAAAAAAAAAABABH/2gAIAQIBAT8QHGz/xAAXEAEBAQEAAAAAAAAAAAAAAAARAQAh/9oACAEBAAE/EIk5VDf/2Q==',
)
export const png = of(
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEElEQVQI12P8z4AATAxEcQAz0QEH8e1QIgAAAABJRU5ErkJggg==',
)
export const webp = of(
  'UklGRlwAAABXRUJQVlA4IFAAAAAwAgCdASoIAAgAAgA0JYwCdEf/geiSxBWAwAD+8BviwuP2w38qK7N+dd+lRQcP+P9SUfc+dUbkFDP9okXt2JiJiDv+tIDN7DH10CYdugAAAA==',
)
const lossless = of(
  'UklGRiABAABXRUJQVlA4TBQBAAAvB8ABAO/hKAAAMppt2wiw/t9VwNm2fTVYxbat5OLuLgFIQEQSEYNfKri7A9vItpW8/z/u7sTQ/ww10IFnRGTuNvMfAEACKA/1xRkujP4R9w+/KRBB+2zI2QUnlscEAGZnIoA8u9ypFCHE4Bdzll2A3zZMDLlUs3523wVgn6ml1j5ODABr/YUSXvf2JlEDhVl8YQOlFzpfgZdl0a/+0CPPD/KZxsTqabAeIgVSNn/Cda5CaHKJjxn8d5DKc5hyKxd5CzuK13xYDubzCmJlfpEmrPVRWhW5wDAAgLLhZtu2reaI/keaBH70ZPn3xmHXFlN/X8NYnk09r3DfFmjo1S+ppsYLyiEzuMhyhG2RqENTGHA9BAA=',
)

export const pictures = { jpeg, progressive, png, webp, lossless }

/** A JPEG with a comment of its own. */
export const commented = (note: string) => {
  const head = Buffer.from([0xff, 0xfe, (note.length + 2) >> 8, (note.length + 2) & 255])
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(note, 'latin1'), jpeg.subarray(2)])
}

/** A JPEG of exactly this size: its tables are repeated and padding is added. */
export async function jpegOf(bytes: number): Promise<Buffer> {
  // as many pixels as a file of this size needs
  const side = Math.ceil(Math.sqrt(bytes) / 3)
  const picture = await sharp({ create: { width: side, height: side, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const start = picture.indexOf(Buffer.from([0xff, 0xdb]))
  const table = picture.subarray(start + 4, start + 4 + 65)
  const parts: Buffer[] = []
  let left = bytes - picture.length
  while (left >= 4 + table.length) {
    const n = Math.min(1000, Math.floor((left - 4) / table.length))
    const length = 2 + n * table.length
    parts.push(Buffer.from([0xff, 0xdb, length >> 8, length & 255]), ...Array<Buffer>(n).fill(table))
    left -= 2 + length
  }
  return Buffer.concat([picture.subarray(0, start), ...parts, Buffer.alloc(left, 0xff), picture.subarray(start)])
}

export const impostors = {
  'an svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  'a program called .jpg': Buffer.concat([Buffer.from('MZ'), Buffer.alloc(400, 0x90)]),
  'a page behind a jpeg': Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]),
  'an archive behind a png': Buffer.concat([png, Buffer.from('PK\x03\x04'), Buffer.alloc(200)]),
  'a page in the comment of a jpeg': commented('<script>alert(1)</script>'),
  'a document in the comment of a jpeg': commented('%PDF-1.7'),
  'something behind a webp': Buffer.concat([webp, Buffer.from('0123456789')]),
  'half a jpeg': jpeg.subarray(0, jpeg.length - 20),
  'half a png': png.subarray(0, png.length - 12),
  'a head and nothing else': Buffer.concat([jpeg.subarray(0, 3), Buffer.alloc(2000)]),
  nothing: Buffer.alloc(0),
}
