import { useEffect, useRef } from 'react'
import { listenForBack, pushOverlay, closeOverlays as takeOff } from './history'
import type { BackHandlerProps, CloseAll } from './port'

export function BackHandler({ open, onBack }: BackHandlerProps) {
  const newest = useRef(onBack)
  newest.current = onBack
  useEffect(() => (open ? pushOverlay((byUser) => newest.current(byUser)) : undefined), [open])
  return null
}

export const closeOverlays: CloseAll = takeOff
export const installBackHandler = listenForBack
