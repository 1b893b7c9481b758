/** Files made from content, kept by that content in memory: the same one is made once, also when asked for twice at a time. */
export function createKept(mostBytes: number) {
  const files = new Map<string, Promise<Buffer>>()
  let bytes = 0

  /** the oldest go first */
  async function makeRoom() {
    for (const [key, file] of files) {
      if (bytes <= mostBytes) return
      files.delete(key)
      bytes -= (await file.catch(() => undefined))?.length ?? 0
    }
  }

  return (key: string, make: () => Promise<Buffer>): Promise<Buffer> => {
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
        bytes += made.length
        return makeRoom()
      },
      () => files.delete(key),
    )
    return file
  }
}
