import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { appStateAtom } from '@/session/store'
import { Cell } from '@/ui/Cell/Cell'
import { copy } from '../copy'
import { DisplaySheet } from './DisplaySheet'

/** The row 字体大小 with its sheet. */
export function DisplayCell() {
  const { textSize } = useAtomValue(appStateAtom)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Cell icon='eye' title={copy.textSize} value={copy.textSizes[textSize]} onClick={() => setOpen(true)} />
      <DisplaySheet open={open} onClose={() => setOpen(false)} />
    </>
  )
}
