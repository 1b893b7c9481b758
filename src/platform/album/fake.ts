import type { Album, Kept } from './port'

/** @param answers what becomes of the files that are kept, one after the other; the last one stays */
export function fakeAlbum({ way = 'album' as ReturnType<Album['way']>, answers = ['SAVED'] as Kept[] } = {}) {
  const saved: string[] = []
  const left = [...answers]
  const album: Album = {
    async save(_png, name) {
      saved.push(name)
    },
    way: () => way,
    async keep(_file, name) {
      saved.push(name)
      return (left.length > 1 ? left.shift() : left[0]) ?? 'SAVED'
    },
    allow: async () => true,
  }
  return { album, saved }
}
