import { View } from '@tarojs/components'
import type { Field } from '@/contract/form/types'
import { unansweredRule } from '@/contract/labels'
import { Button } from '@/ui/Button/Button'
import { Cell } from '@/ui/Cell/Cell'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'
import './MissingFieldsSheet.scss'

interface Props {
  fields: readonly Field[]
  open: boolean
  onClose: () => void
  /** opens the tapped field */
  onPick: (key: string) => void
  /** submits without these fields */
  onSubmit: () => void
}

/** Lists unanswered fields that affect the price, once before submitting. */
export function MissingFieldsSheet({ fields, open, onClose, onPick, onSubmit }: Props) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={copy.unfilledTitle(fields.length)}
      head={<View className='fill-open__rule'>{copy.unfilledRule(unansweredRule)}</View>}
      foot={
        <Button kind='secondary' block onClick={onSubmit}>
          {copy.unfilledSubmit}
        </Button>
      }
    >
      {fields.map(({ key, label, help }) => (
        <Cell key={key} title={label} note={help} value={copy.unfilledGo} onClick={() => onPick(key)} />
      ))}
    </Sheet>
  )
}
