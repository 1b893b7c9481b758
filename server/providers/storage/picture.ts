/**
 * What a file is by its bytes, never by its name. It must be one picture from the first byte to the last: what hangs
 * behind the end, or markup inside a comment, makes it two things at once (a polyglot) and is refused.
 */
import { Refusal } from '../../refusal'
import type { PictureType } from './port'

/** An open file. */
interface Source {
  stat(): Promise<{ size: number }>
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<unknown>
}
interface Reader {
  size: number
  /** `length` bytes at `at`; fewer at the end */
  read(at: number, length: number): Promise<Buffer>
  /** what is at hand from `at` on, at least two bytes; fewer at the end */
  some(at: number): Promise<Buffer>
}

/** Bytes of one note (colour profile, comment) that are looked at; a longer one is no picture of a phone. */
const MOST_NOTE = 1024 * 1024
/** Chunks or segments of one file: encoders that write 4 KB at a time need 2560 for the largest. */
const MOST_PARTS = 10_000
/** Dots of a picture: a few hundred bytes can claim more than a browser has memory for. */
const MOST_DOTS = 40_000_000
const WINDOW = 64 * 1024
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** What a browser, a reader of documents or an unpacker would take a note for. */
const foreign = ['<script', '<html', '<svg', '<body', '<iframe', '<!doctype', '<?php', '%pdf-', 'pk\x03\x04']

async function clean({ read }: Reader, at: number, length: number): Promise<boolean> {
  if (length > MOST_NOTE) return false
  const note = (await read(at, length)).toString('latin1').toLowerCase()
  return !foreign.some((beginning) => note.includes(beginning))
}

/** @throws Refusal UPLOAD_TYPE when staff could not open it */
function isDrawable(width: number, height: number): boolean {
  if (width * height > MOST_DOTS)
    throw new Refusal('UPLOAD_TYPE', { msg: `图片不能超过 ${MOST_DOTS / 10_000} 万像素，请缩小或截取后再上传` })
  return width > 0 && height > 0
}

/** Chunks up to IEND, which ends the file. */
async function isPng(file: Reader): Promise<boolean> {
  const { size, read } = file
  let at = PNG.length
  let drawn = false
  for (let n = 0; at + 12 <= size && n < MOST_PARTS; n++) {
    const head = await read(at, 8)
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4)]
    if (n === 0) {
      if (type !== 'IHDR' || length !== 13) return false
      const sides = await read(at + 8, 8)
      if (sides.length < 8 || !isDrawable(sides.readUInt32BE(0), sides.readUInt32BE(4))) return false
    }
    if (type === 'IEND') return drawn && length === 0 && at + 12 === size
    if (type === 'IDAT') drawn = true
    else if (!(await clean(file, at + 8, length))) return false
    at += 12 + length
  }
  return false
}

/** Sides by the first bytes of a chunk that draws. */
function sidesOf(type: string, data: Buffer): [width: number, height: number] {
  if (data.length < 10) return [0, 0]
  if (type === 'VP8X') return [data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1]
  if (type === 'VP8 ') return [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff]
  const bits = data.readUInt32LE(1)
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
}

/** RIFF chunks that fill exactly the size the head tells. */
async function isWebp(file: Reader): Promise<boolean> {
  const { size, read } = file
  const head = await read(0, 16)
  if (head.readUInt32LE(4) + 8 !== size || !/^VP8[ LX]$/.test(head.toString('latin1', 12))) return false
  let at = 12
  let drawn = false
  for (let n = 0; at + 8 <= size && n < MOST_PARTS; n++) {
    const chunk = await read(at, 8)
    const [type, length] = [chunk.toString('latin1', 0, 4), chunk.readUInt32LE(4)]
    if (/^VP8[ LX]$/.test(type) && !isDrawable(...sidesOf(type, await read(at + 8, 10)))) return false
    if (/^(VP8[ L]|ANMF)$/.test(type)) drawn = true
    else if (!/^(VP8X|ALPH|ANIM)$/.test(type) && !(await clean(file, at + 8, length))) return false
    at += 8 + length + (length % 2)
  }
  return drawn && at === size
}

/** Where the scan that starts at `at` ends: the place of the next marker that is neither stuffing nor a restart. */
async function endOfScan({ size, some }: Reader, at: number): Promise<number> {
  for (let from = at; from + 1 < size; ) {
    const bytes = await some(from)
    for (let i = bytes.indexOf(0xff); i >= 0 && i + 1 < bytes.length; i = bytes.indexOf(0xff, i + 1)) {
      const next = bytes[i + 1] as number
      if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return from + i
    }
    from += bytes.length - 1
  }
  return size
}

/** Marker segments and scans up to EOI, which ends the file. */
async function isJpeg(file: Reader): Promise<boolean> {
  const { size, read } = file
  let at = 2
  let frames = 0
  let drawn = false
  for (let n = 0; at + 4 <= size && n < MOST_PARTS; n++) {
    const head = await read(at, 4)
    if (head[0] !== 0xff) return false
    const marker = head[1] as number
    // filling: the marker comes after it
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = head.readUInt16BE(2)
    // starts, ends and restarts have no length, and no place before the scan
    if (length < 2 || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9)) return false
    if (!(await clean(file, at + 4, length - 2))) return false
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      frames += 1
      const sides = await read(at + 5, 4)
      if (sides.length < 4 || !isDrawable(sides.readUInt16BE(2), sides.readUInt16BE(0))) return false
    }
    at += 2 + length
    if (marker === 0xda) {
      drawn = true
      at = await endOfScan(file, at)
    }
    const end = await read(at, 2)
    if (end[0] === 0xff && end[1] === 0xd9) return drawn && frames === 1 && at + 2 === size
  }
  return false
}

/** Reads a window at a time: a file of a million small parts must not become a million reads. */
async function readerOf(file: Source): Promise<Reader> {
  const { size } = await file.stat()
  let start = 0
  let window = Buffer.alloc(0)
  const bytes = async (at: number, least: number, most: number) => {
    const end = Math.min(at + least, size)
    if (at < start || end > start + window.length) {
      window = Buffer.alloc(Math.max(0, Math.min(Math.max(least, WINDOW), size - at)))
      start = at
      await file.read(window, 0, window.length, at)
    }
    return window.subarray(at - start, at - start + most)
  }
  return { size, read: (at, length) => bytes(at, length, length), some: (at) => bytes(at, 2, WINDOW) }
}

/**
 * Constant memory: at most one window or note at a time.
 * @throws Refusal UPLOAD_TYPE for a picture with too many dots
 */
export async function pictureType(source: Source): Promise<PictureType | undefined> {
  const file = await readerOf(source)
  const head = await file.read(0, 12)
  if (head.length < 12) return undefined
  if (head[0] === 0xff && head[1] === 0xd8) return (await isJpeg(file)) ? 'image/jpeg' : undefined
  if (head.subarray(0, 8).equals(PNG)) return (await isPng(file)) ? 'image/png' : undefined
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8) === 'WEBP')
    return (await isWebp(file)) ? 'image/webp' : undefined
  return undefined
}
