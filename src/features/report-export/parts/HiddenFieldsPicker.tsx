import { View } from '@tarojs/components'
import { Card } from '@/ui/Card/Card'
import { Chip } from '@/ui/Chip/Chip'
import { copy } from '../copy'
import { type HideableField, hideableFields } from '../useReportFile'

interface Props {
  hide: readonly HideableField[]
  onHide: (hide: HideableField[]) => void
}

/** Lets the owner hide fields before sharing a file. */
export function HiddenFieldsPicker({ hide, onHide }: Props) {
  const flip = (one: HideableField) => onHide(hideableFields.filter((key) => hide.includes(key) !== (key === one)))
  return (
    <Card title={copy.hideTitle}>
      <View className='export-hide'>
        {hideableFields.map((key) => (
          <View key={key} className='export-hide__one'>
            <Chip role='checkbox' selected={hide.includes(key)} onClick={() => flip(key)}>
              {copy.hide[key]}
            </Chip>
          </View>
        ))}
      </View>
      <View className='export-note'>{copy.hideNote}</View>
    </Card>
  )
}
