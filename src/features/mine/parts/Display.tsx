import { useAtomValue } from 'jotai'
import { type ComponentProps, type ComponentType, useState } from 'react'
import { dialog } from '@/platform/dialog'
import { appStateAtom } from '@/session/store'
import { Cell } from '@/ui/Cell/Cell'
import { copy } from '../copy'
import type { DisplaySheet } from './DisplaySheet'

type Loaded = { Sheet: ComponentType<ComponentProps<typeof DisplaySheet>> }

/** The row 字体大小. What it opens is loaded then: no tab loads NutUI by itself (ARCHITECTURE, "Bytes"). */
export function Display() {
  const { textSize } = useAtomValue(appStateAtom)
  const [loaded, setLoaded] = useState<Loaded>()
  const [open, setOpen] = useState(false)
  const show = async () => {
    try {
      const { DisplaySheet: Sheet } = await import('./DisplaySheet')
      setLoaded({ Sheet })
      setOpen(true)
    } catch {
      dialog.toast(copy.displayFailed)
    }
  }
  return (
    <>
      <Cell icon='eye' title={copy.textSize} value={copy.textSizes[textSize]} onClick={() => void show()} />
      {loaded ? <loaded.Sheet open={open} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
