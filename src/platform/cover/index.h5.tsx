import { useEffect, useRef } from 'react'
import { hold, listenForBack, uncover as takeOff } from './history'
import type { CoverProps, Uncover } from './port'

export function Cover({ open, onBack }: CoverProps) {
  const newest = useRef(onBack)
  newest.current = onBack
  useEffect(() => (open ? hold((byUser) => newest.current(byUser)) : undefined), [open])
  return null
}

export const uncover: Uncover = takeOff
export const installCovers = listenForBack
