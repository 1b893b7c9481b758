import type { Clipboard } from './port'

export function fakeClipboard() {
  const copied: string[] = []
  const clipboard: Clipboard = {
    async copy(text) {
      copied.push(text)
      return true
    },
    async read() {
      return copied.at(-1) ?? ''
    },
  }
  return { clipboard, copied }
}
