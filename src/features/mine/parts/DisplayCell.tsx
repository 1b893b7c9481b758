import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { appStateAtom } from '@/session/store'
import { Cell } from '@/ui/Cell/Cell'
import type { IconName } from '@/ui/Icon/names'
import { copy } from '../copy'
import { DisplaySheet } from './DisplaySheet'

/** The row 字体大小 with its sheet; an icon where the other rows have one. */
export function DisplayCell({ icon }: { icon?: IconName }) {
  const { textSize } = useAtomValue(appStateAtom)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Cell icon={icon} title={copy.textSize} value={copy.textSizes[textSize]} onClick={() => setOpen(true)} />
      <DisplaySheet open={open} onClose={() => setOpen(false)} />
    </>
  )
}
