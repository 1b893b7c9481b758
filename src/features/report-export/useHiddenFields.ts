import { useState } from 'react'
import { storage } from '@/platform/storage'
import { HIDDEN_FIELDS_KEY } from '@/session/clearCache'
import { type HideableField, hideableFields } from './useReportFile'

const stored = () => {
  const words = storage.get(HIDDEN_FIELDS_KEY)?.split(',') ?? []
  return hideableFields.filter((one) => words.includes(one))
}

/** Fields the owner hides in exports: shared by picture and document, and persisted. */
export function useHiddenFields(): [readonly HideableField[], (hide: readonly HideableField[]) => void] {
  const [hide, setHide] = useState<readonly HideableField[]>(stored)
  return [
    hide,
    (next) => {
      storage.set(HIDDEN_FIELDS_KEY, next.join())
      setHide(next)
    },
  ]
}
