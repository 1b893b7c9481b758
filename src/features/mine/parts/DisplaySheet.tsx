import { View } from '@tarojs/components'
import { useAtomValue } from 'jotai'
import { textSizeClass } from '@/lib/textSize'
import { textSizes } from '@/session/state'
import { appStateAtom, dispatch } from '@/session/store'
import { a11y } from '@/ui/a11y'
import { Choice } from '@/ui/Sheet/Choice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'

/** Text size and reduced motion; both apply immediately. */
export function DisplaySheet({ open, onClose }: { open: boolean; onClose: () => void }) {
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
              onClick={() => dispatch({ type: 'displayChosen', textSize: size })}
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
        onClick={() => dispatch({ type: 'displayChosen', reduceMotion: !reduceMotion })}
      >
        {copy.reduceMotion}
      </Choice>
    </Sheet>
  )
}
