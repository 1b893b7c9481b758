import { View } from '@tarojs/components'
import { Button } from '@/ui/Button/Button'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'
import './ReturnSheet.scss'

interface Props {
  open: boolean
  busy: boolean
  onDone: () => void
  onNot: () => void
}

/** After returning from an external cashier: the user reports the result, the server confirms it. */
export function ReturnSheet({ open, busy, onDone, onNot }: Props) {
  return (
    <Sheet
      open={open}
      onClose={onNot}
      title={copy.askTitle}
      foot={
        <>
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
