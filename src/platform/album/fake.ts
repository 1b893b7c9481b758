import type { Album, SaveOutcome } from './port'

/** @param answers outcomes of successive `saveFile` calls; the last one repeats */
export function fakeAlbum({ way = 'album' as ReturnType<Album['way']>, answers = ['SAVED'] as SaveOutcome[] } = {}) {
  const saved: string[] = []
  const left = [...answers]
  const album: Album = {
    async save(_png, name) {
      saved.push(name)
    },
    way: () => way,
    async saveFile(_file, name) {
      saved.push(name)
      return (left.length > 1 ? left.shift() : left[0]) ?? 'SAVED'
    },
    allow: async () => true,
  }
  return { album, saved }
}
