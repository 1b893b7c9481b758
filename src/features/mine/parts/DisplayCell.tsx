import { View } from '@tarojs/components'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { api } from '@/api'
import { textScale, textSizeClass } from '@/lib/textSize'
import { type AppState, textSizes } from '@/session/state'
import { appState, appStateAtom, dispatch } from '@/session/store'
import { a11y } from '@/ui/a11y'
import { Cell } from '@/ui/Cell/Cell'
import { Choice } from '@/ui/Sheet/Choice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'

type Display = Partial<Pick<AppState, 'textSize' | 'reduceMotion'>>

/** Applies at once; the account keeps it for other devices, where that fails with the next change. */
function choose(display: Display) {
  dispatch({ type: 'displayChosen', ...display })
  const { textSize, reduceMotion } = appState()
  void api.user.updateSettings({ fontScale: textScale[textSize], reduceMotion }, { quiet: true }).catch(() => undefined)
}

/** Text size and reduced motion. */
function DisplaySheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { textSize, reduceMotion } = useAtomValue(appStateAtom)
  return (
    <Sheet open={open} onClose={onClose} title={copy.textSize}>
      <View {...a11y('radiogroup', { label: copy.textSize })}>
        {textSizes.map((size) => (
          <View key={size} className={textSizeClass[size]}>
            <Choice
              kind='radio'
              on={size === textSize}
              note={copy.textSample}
              onClick={() => choose({ textSize: size })}
            >
              {copy.textSizes[size]}
            </Choice>
          </View>
        ))}
      </View>
      <Choice
        kind='checkbox'
        on={reduceMotion}
        note={copy.reduceMotionNote}
        onClick={() => choose({ reduceMotion: !reduceMotion })}
      >
        {copy.reduceMotion}
      </Choice>
    </Sheet>
  )
}

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
