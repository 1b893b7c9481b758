import { View } from '@tarojs/components'
import { Button } from '@/ui/Button/Button'
import { Notice } from '@/ui/Notice/Notice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'
import './ReturnSheet.scss'

interface Props {
  open: boolean
  busy: boolean
  /** why the payment could not be checked */
  note: string | undefined
  onDone: () => void
  onNot: () => void
}

/** After returning from an external cashier: the user reports the result, the server confirms it. */
export function ReturnSheet({ open, busy, note, onDone, onNot }: Props) {
  return (
    <Sheet
      open={open}
      onClose={onNot}
      title={copy.askTitle}
      foot={
        <>
          {note ? <Notice tone='warn' text={note} /> : null}
          <Button block loading={busy} onClick={onDone}>
            {busy ? copy.checking : copy.askDone}
          </Button>
          <View className='returned-second'>
            <Button kind='secondary' block disabled={busy} onClick={onNot}>
              {copy.askNot}
            </Button>
          </View>
        </>
      }
    >
      <View className='returned-note'>{copy.askBody}</View>
    </Sheet>
  )
}
