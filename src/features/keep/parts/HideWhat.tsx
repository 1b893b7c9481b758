import { View } from '@tarojs/components'
import { Card } from '@/ui/Card/Card'
import { Chip } from '@/ui/Chip/Chip'
import { copy } from '../copy'
import { type Hide, hidable } from '../useFile'

interface Props {
  hide: readonly Hide[]
  onHide: (hide: Hide[]) => void
}

/** What the owner leaves out before a file goes to others. */
export function HideWhat({ hide, onHide }: Props) {
  const flip = (one: Hide) => onHide(hidable.filter((key) => hide.includes(key) !== (key === one)))
  return (
    <Card title={copy.hideTitle}>
      <View className='keep-hide'>
        {hidable.map((key) => (
          <View key={key} className='keep-hide__one'>
            <Chip role='checkbox' selected={hide.includes(key)} onClick={() => flip(key)}>
              {copy.hide[key]}
            </Chip>
          </View>
        ))}
      </View>
      <View className='keep-note'>{copy.hideNote}</View>
    </Card>
  )
}
