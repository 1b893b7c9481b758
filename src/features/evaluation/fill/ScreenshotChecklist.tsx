import { View } from '@tarojs/components'
import { type ScreenshotKind, screenshotsFor } from '@/contract/form/screenshots'
import type { FormConfig } from '@/contract/form/types'
import { Card } from '@/ui/Card/Card'
import { copy } from '../copy'
import './ScreenshotChecklist.scss'

/** parts of each drawing: a portrait with lines, a grid of tiles, a list of switches */
const parts: Record<ScreenshotKind, readonly string[]> = {
  PROFILE: ['face', 'line', 'line', 'wide', 'wide'],
  COLLECTION: ['tile', 'tile', 'tile', 'tile', 'tile', 'tile'],
  SETTINGS: ['row', 'row', 'row', 'row'],
}

/** A drawn example of a screen, in outline. */
function Drawing({ kind }: { kind: ScreenshotKind }) {
  return (
    <View className={`shot shot--${kind}`}>
      {parts[kind].map((part, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a drawing never change
        <View key={i} className={`shot__${part}`} />
      ))}
    </View>
  )
}

/** Which screenshots the appraiser needs, each with a drawn example. `sent`: number of pictures uploaded. */
export function ScreenshotChecklist({ config, sent }: { config: FormConfig; sent: number }) {
  const wanted = screenshotsFor(config)
  return (
    <Card title={copy.shots} extra={copy.shotsSent(sent, wanted.length)}>
      {wanted.map(({ kind, title }) => (
        <View key={title} className='shots__row'>
          <Drawing kind={kind} />
          <View className='shots__text'>{title}</View>
        </View>
      ))}
      <View className='shots__note'>{copy.shotsNote}</View>
    </Card>
  )
}
