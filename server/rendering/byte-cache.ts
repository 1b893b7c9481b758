/** In-memory cache of rendered files, by content; concurrent requests for the same file share one rendering. */
export function createByteCache<T extends { file: Uint8Array }>(mostBytes: number) {
  const files = new Map<string, Promise<T>>()
  let bytes = 0

  /** evicts the least recently used first */
  async function makeRoom() {
    for (const [key, file] of files) {
      if (bytes <= mostBytes) return
      files.delete(key)
      bytes -= (await file.catch(() => undefined))?.file.length ?? 0
    }
  }

  return (key: string, make: () => Promise<T>): Promise<T> => {
    const cached = files.get(key)
    if (cached) {
      // re-inserted as the most recently used
      files.delete(key)
      files.set(key, cached)
      return cached
    }
    const file = make()
    files.set(key, file)
    file.then(
      (made) => {
        bytes += made.file.length
        return makeRoom()
      },
      () => files.delete(key),
    )
    return file
  }
}
