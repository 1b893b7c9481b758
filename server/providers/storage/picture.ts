/**
 * What a file is by its bytes, never by its name. It must be one picture from the first byte to the last: what hangs
 * behind the end, or markup inside a comment, makes it two things at once (a polyglot) and is refused.
 */
import type { FileHandle } from 'node:fs/promises'
import type { PictureType } from './port'

/** Reads up to `length` bytes at `at`; fewer at the end. */
type Read = (at: number, length: number) => Promise<Buffer>

/** Bytes of one note (colour profile, comment) that are looked at; a longer one is no picture of a phone. */
const MOST_NOTE = 1024 * 1024
const WINDOW = 64 * 1024
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** What a browser, a reader of documents or an unpacker would take a note for. */
const foreign = ['<script', '<html', '<svg', '<body', '<iframe', '<!doctype', '<?php', '%pdf-', 'pk\x03\x04']

async function clean(read: Read, at: number, length: number): Promise<boolean> {
  if (length > MOST_NOTE) return false
  const note = (await read(at, length)).toString('latin1').toLowerCase()
  return !foreign.some((beginning) => note.includes(beginning))
}

/** Chunks up to IEND, which ends the file. */
async function isPng(read: Read, size: number): Promise<boolean> {
  let at = PNG.length
  for (let n = 0; at + 12 <= size; n++) {
    const head = await read(at, 8)
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4)]
    if (n === 0 && type !== 'IHDR') return false
    if (type === 'IEND') return n > 1 && length === 0 && at + 12 === size
    if (type !== 'IDAT' && !(await clean(read, at + 8, length))) return false
    at += 12 + length
  }
  return false
}

/** RIFF chunks that fill exactly the size the head tells. */
async function isWebp(read: Read, size: number): Promise<boolean> {
  const head = await read(0, 16)
  if (head.readUInt32LE(4) + 8 !== size || !/^VP8[ LX]$/.test(head.toString('latin1', 12))) return false
  let at = 12
  while (at + 8 <= size) {
    const chunk = await read(at, 8)
    const [type, length] = [chunk.toString('latin1', 0, 4), chunk.readUInt32LE(4)]
    if (!/^(VP8[ LX]|ALPH|ANIM|ANMF)$/.test(type) && !(await clean(read, at + 8, length))) return false
    at += 8 + length + (length % 2)
  }
  return at === size
}

/** Where the scan that starts at `at` ends: the place of the next marker that is neither stuffing nor a restart. */
async function endOfScan(read: Read, size: number, at: number): Promise<number> {
  for (let from = at; from + 1 < size; from += WINDOW - 1) {
    const bytes = await read(from, WINDOW)
    for (let i = bytes.indexOf(0xff); i >= 0 && i + 1 < bytes.length; i = bytes.indexOf(0xff, i + 1)) {
      const next = bytes[i + 1] as number
      if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return from + i
    }
  }
  return size
}

/** Marker segments and scans up to EOI, which ends the file. */
async function isJpeg(read: Read, size: number): Promise<boolean> {
  let at = 2
  let frames = 0
  while (at + 4 <= size) {
    const head = await read(at, 4)
    if (head[0] !== 0xff) return false
    const marker = head[1] as number
    const length = head.readUInt16BE(2)
    if (length < 2 || marker < 0xc0) return false
    const note = marker >= 0xe0 || marker === 0xfe
    if (note && !(await clean(read, at + 4, length - 2))) return false
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) frames += 1
    at += 2 + length
    if (marker === 0xda) at = await endOfScan(read, size, at)
    const end = await read(at, 2)
    if (end[0] === 0xff && end[1] === 0xd9) return frames === 1 && at + 2 === size
  }
  return false
}

/** Constant memory: at most one window or note at a time. */
export async function pictureType(file: FileHandle): Promise<PictureType | undefined> {
  const { size } = await file.stat()
  const read: Read = async (position, length) => {
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - position)))
    await file.read(buffer, 0, buffer.length, position)
    return buffer
  }
  const head = await read(0, 12)
  if (head.length < 12) return undefined
  if (head[0] === 0xff && head[1] === 0xd8) return (await isJpeg(read, size)) ? 'image/jpeg' : undefined
  if (head.subarray(0, 8).equals(PNG)) return (await isPng(read, size)) ? 'image/png' : undefined
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8) === 'WEBP')
    return (await isWebp(read, size)) ? 'image/webp' : undefined
  return undefined
}
