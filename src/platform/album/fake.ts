import type { Album } from './port'

export function fakeAlbum() {
  const saved: string[] = []
  const album: Album = {
    async save(_png, name) {
      saved.push(name)
    },
  }
  return { album, saved }
}
