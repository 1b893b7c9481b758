import type { Gallery } from '@/ui/gallery'

declare const require: {
  context(folder: string, deep: boolean, pattern: RegExp): { keys(): string[]; (key: string): { default: Gallery } }
}

/** Every `*.gallery.tsx` of the app. A production build drops the call, and with it all of them. */
export function allGalleries(): Gallery[] {
  if (PRODUCTION) return []
  const found = require.context('../../', true, /\.gallery\.tsx$/)
  return found.keys().map((key) => found(key).default)
}
