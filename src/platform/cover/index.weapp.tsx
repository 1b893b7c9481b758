import { PageContainer } from '@tarojs/components'
import { useEffect, useRef, useState } from 'react'
import type { CoverProps, Uncover } from './port'

/** time-out for the host to close a container */
const AWAY_WITHIN = 100

/** Close functions of the open covers. */
const covers = new Set<() => Promise<void>>()

/** Resolves when the host has closed the container, or after the time-out. */
function once() {
  let told: () => void = () => undefined
  const away = new Promise<void>((resolve) => {
    told = resolve
    setTimeout(resolve, AWAY_WITHIN)
  })
  return { told, away }
}

/** Back navigation closes a page-container, so an empty one of zero size is used. */
export function Cover({ open, onBack }: CoverProps) {
  const [off, setOff] = useState(false)
  const leaving = useRef<() => void>()
  const back = useRef(onBack)
  back.current = onBack
  useEffect(() => {
    if (!open) return
    const take = () => {
      const { told, away } = once()
      leaving.current = told
      setOff(true)
      back.current(false)
      return away
    }
    covers.add(take)
    return () => {
      covers.delete(take)
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

/** While one is open the host's own way back closes it instead of the page: even when it is us who go back. */
export const uncover: Uncover = async () => {
  await Promise.all([...covers].map((take) => take()))
}
export const installCovers = () => undefined
