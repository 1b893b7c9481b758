import { Card } from '@/ui/Card/Card'
import { Chips } from '@/ui/Chip/Chips'
import { copy } from '../copy'
import { type HideableField, hideableFields } from '../useReportFile'

interface Props {
  hide: readonly HideableField[]
  onHide: (hide: HideableField[]) => void
}

/** Lets the owner hide fields before sharing a file. */
export function HiddenFieldsPicker({ hide, onHide }: Props) {
  const flip = (field: HideableField) => onHide(hideableFields.filter((key) => hide.includes(key) !== (key === field)))
  return (
    <Card title={copy.hideTitle}>
      <Chips
        role='checkbox'
        label={copy.hideTitle}
        options={hideableFields.map((v) => ({ v, t: copy.hide[v] }))}
        isOn={(field) => hide.includes(field)}
        onPick={flip}
      />
    </Card>
  )
}
