import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

export interface ZipEntry {
  /** path inside the archive */
  name: string
  /** false for pictures, which are already compressed */
  compress: boolean
  data: AsyncIterable<Uint8Array | string>
}

const utf8 = new TextEncoder()

/** A ZIP archive as a stream, so that no entry has to fit into memory. */
export async function* zipped(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, part) => {
    if (error) throw error
    ready.push(part)
  })
  for await (const { name, compress, data } of entries) {
    const entry = compress ? new ZipDeflate(name, { level: 6 }) : new ZipPassThrough(name)
    zip.add(entry)
    for await (const part of data) {
      entry.push(typeof part === 'string' ? utf8.encode(part) : part)
      yield* ready.splice(0)
    }
    entry.push(new Uint8Array(0), true)
    yield* ready.splice(0)
  }
  zip.end()
  yield* ready.splice(0)
}
