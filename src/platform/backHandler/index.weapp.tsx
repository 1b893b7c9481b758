import { PageContainer } from '@tarojs/components'
import { useEffect, useRef, useState } from 'react'
import type { BackHandlerProps, CloseAll } from './port'

/** time-out for the host to close a container */
const AWAY_WITHIN = 100

/** Close functions of the open handlers. */
const handlers = new Set<() => Promise<void>>()

/** Resolves when the host has closed the container, or after the time-out. */
function once() {
  let closed: () => void = () => undefined
  const away = new Promise<void>((resolve) => {
    closed = resolve
    setTimeout(resolve, AWAY_WITHIN)
  })
  return { closed, away }
}

/** Back navigation closes a page-container, so an empty one of zero size is used. */
export function BackHandler({ open, onBack }: BackHandlerProps) {
  const [off, setOff] = useState(false)
  const leaving = useRef<() => void>()
  const back = useRef(onBack)
  back.current = onBack
  useEffect(() => {
    if (!open) return
    const take = () => {
      const { closed, away } = once()
      leaving.current = closed
      setOff(true)
      back.current(false)
      return away
    }
    handlers.add(take)
    return () => {
      handlers.delete(take)
      leaving.current?.()
      leaving.current = undefined
      setOff(false)
    }
  }, [open])
  function onAfterLeave() {
    // closed by us, not by back navigation
    if (leaving.current) leaving.current()
    else if (open) onBack(true)
    leaving.current = undefined
  }
  return (
    <PageContainer
      show={open && !off}
      overlay={false}
      duration={0}
      customStyle='position:absolute;width:0;height:0;overflow:hidden'
      onAfterLeave={onAfterLeave}
    />
  )
}

/** While one is open, back navigation by the user or by the app closes it instead of the page. */
export const closeOverlays: CloseAll = async () => {
  await Promise.all([...handlers].map((take) => take()))
}
export const installBackHandler = () => undefined
