/** Files made from content, kept by that content in memory: the same one is made once, also when asked for twice at a time. */
export function createByteCache<T extends { file: Uint8Array }>(mostBytes: number) {
  const files = new Map<string, Promise<T>>()
  let bytes = 0

  /** the oldest go first */
  async function makeRoom() {
    for (const [key, file] of files) {
      if (bytes <= mostBytes) return
      files.delete(key)
      bytes -= (await file.catch(() => undefined))?.file.length ?? 0
    }
  }

  return (key: string, make: () => Promise<T>): Promise<T> => {
    const known = files.get(key)
    if (known) {
      // asked for again: newest
      files.delete(key)
      files.set(key, known)
      return known
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
