/** The encoding of a file or body, decided once for all of it: bytes of GBK may by chance be valid UTF-8 in some lines. */
const ENCODINGS = ['utf-8', 'gb18030'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Letters that Chinese in GBK becomes where it is read as UTF-8: Latin letters of other alphabets and combining marks. */
const UNLIKELY = /[\u0100-\u036F\u0370-\u07FF]/
/** A character of the Basic Multilingual Plane beyond those, as Chinese in UTF-8 is. */
const LIKELY = /[\u0800-\uFFFF]/

/** @returns undefined: neither, for example a file that was cut */
export async function encodingOf(chunks: AsyncIterable<Uint8Array>): Promise<Encoding | undefined> {
  const possible = new Map(ENCODINGS.map((encoding) => [encoding, new TextDecoder(encoding, { fatal: true })]))
  let [isUnlikely, isLikely] = [false, false]
  const read = (chunk?: Uint8Array) => {
    for (const [encoding, decoder] of possible) {
      try {
        const text = chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
        if (encoding !== 'utf-8') continue
        isUnlikely ||= UNLIKELY.test(text)
        isLikely ||= LIKELY.test(text)
      } catch {
        possible.delete(encoding)
      }
    }
  }
  for await (const chunk of chunks) {
    read(chunk)
    if (possible.size === 0) return undefined
  }
  read()
  if (!possible.has('utf-8')) return possible.has('gb18030') ? 'gb18030' : undefined
  return isUnlikely && !isLikely && possible.has('gb18030') ? 'gb18030' : 'utf-8'
}
