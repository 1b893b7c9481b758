/** Windowed reading of untrusted files, and what is common to all picture formats. */
import { AppError } from '../../../app-error'

/** An open file. */
export interface Source {
  stat(): Promise<{ size: number }>
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<unknown>
}
export interface Reader {
  size: number
  /** `length` bytes at `at`; fewer at the end */
  read(at: number, length: number): Promise<Buffer>
  /** bytes already buffered from `at` on, at least two; fewer at the end */
  some(at: number): Promise<Buffer>
}

/** Maximum bytes of one metadata block (colour profile, comment) to inspect; phones write no longer ones. */
const MAX_NOTE = 1024 * 1024
/** Maximum of chunks or segments in a file: encoders that write 4 KB at a time need 2560 for the largest one. */
export const MAX_PARTS = 10_000
/** Maximum of pixels: a file of a few hundred bytes can claim more than a browser has memory for. */
const MAX_PIXELS = 24_000_000
export const WINDOW_BYTES = 64 * 1024

/** Signatures by which a browser, a document viewer or an archiver would take metadata for its own file. */
const foreign = ['<script', '<html', '<svg', '<body', '<iframe', '<!doctype', '<?php', '%pdf-', 'pk\x03\x04']

export async function isMetadataFree({ read }: Reader, at: number, length: number): Promise<boolean> {
  if (length > MAX_NOTE) return false
  const note = (await read(at, length)).toString('latin1').toLowerCase()
  return !foreign.some((beginning) => note.includes(beginning))
}

/** @throws AppError UPLOAD_TYPE if it has too many pixels to be opened */
export function isDrawable(width: number, height: number): boolean {
  if (width * height > MAX_PIXELS)
    throw new AppError('UPLOAD_TYPE', { msg: `图片不能超过 ${MAX_PIXELS / 10_000} 万像素，请缩小或截取后再上传` })
  return width > 0 && height > 0
}

/** A byte range of the file (`to` exclusive), or new bytes to write in its place. */
export type Part = { from: number; to: number } | Buffer

/** A picture without its metadata. */
export interface StrippedImage {
  parts: Part[]
}

export function keep(parts: Part[], from: number, to: number): void {
  const last = parts.at(-1)
  if (last && !Buffer.isBuffer(last) && last.to === from) last.to = to
  else parts.push({ from, to })
}

/** Reads one window at a time, so that a file of a million small parts does not cause a million reads. */
export async function readerOf(file: Source): Promise<Reader> {
  const { size } = await file.stat()
  let start = 0
  let window = Buffer.alloc(0)
  const bytes = async (at: number, least: number, most: number) => {
    const end = Math.min(at + least, size)
    if (at < start || end > start + window.length) {
      window = Buffer.alloc(Math.max(0, Math.min(Math.max(least, WINDOW_BYTES), size - at)))
      start = at
      await file.read(window, 0, window.length, at)
    }
    return window.subarray(at - start, at - start + most)
  }
  return { size, read: (at, length) => bytes(at, length, length), some: (at) => bytes(at, 2, WINDOW_BYTES) }
}
