import { useState } from 'react'
import { storage } from '@/platform/storage'
import { KEEP_HIDE } from '@/session/clearCache'
import { type Hide, hidable } from './useFile'

const stored = () => {
  const words = storage.get(KEEP_HIDE)?.split(',') ?? []
  return hidable.filter((one) => words.includes(one))
}

/** What the owner leaves out, the same for picture and document, and still so after a reload. */
export function useHide(): [readonly Hide[], (hide: readonly Hide[]) => void] {
  const [hide, setHide] = useState<readonly Hide[]>(stored)
  return [
    hide,
    (next) => {
      storage.set(KEEP_HIDE, next.join())
      setHide(next)
    },
  ]
}
