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

/** Back from a cashier outside: the person says how it went, the server says whether that is so. */
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
