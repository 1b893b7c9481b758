import type { PictureErrorKind, Pictures } from './port'
import { PictureRefused } from './port'

/** `choose` gives `next`; a file named `bad-<kind>` is refused with that kind. */
export function fakePictures() {
  const state = { next: [] as string[], released: [] as string[] }
  const pictures: Pictures = {
    choose: async (most) => state.next.slice(0, most),
    async prepare(file) {
      if (file.startsWith('bad-')) throw new PictureRefused(file.slice(4) as PictureErrorKind)
      return `small-${file}`
    },
    openSettings: () => undefined,
    release: (file) => void state.released.push(file),
  }
  return { pictures, state }
}
