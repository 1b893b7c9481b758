import type { Gallery } from '@/ui/gallery'

declare const require: {
  context(folder: string, deep: boolean, pattern: RegExp): { keys(): string[]; (key: string): { default: Gallery } }
}

/** Every `*.gallery.tsx` of the app. The condition lets production builds drop them all as dead code. */
export function allGalleries(): Gallery[] {
  if (!PRODUCTION) {
    const found = require.context('../../', true, /\.gallery\.tsx$/)
    return found.keys().map((key) => found(key).default)
  }
  return []
}
