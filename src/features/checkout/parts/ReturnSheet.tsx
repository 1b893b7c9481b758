import { View } from '@tarojs/components'
import { Button } from '@/ui/Button/Button'
import { Notice } from '@/ui/Notice/Notice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'
import type { usePayment } from '../usePayment'
import './ReturnSheet.scss'

/** After returning from an external cashier: the user reports the result, the server confirms it. */
export function ReturnSheet({ paying }: { paying: ReturnType<typeof usePayment> }) {
  const { asking, busy, note, answer } = paying
  return (
    <Sheet
      open={asking}
      onClose={() => answer(false)}
      title={copy.askTitle}
      foot={
        <>
          {note ? <Notice tone='warn' text={note} /> : null}
          <Button block loading={busy} onClick={() => answer(true)}>
            {busy ? copy.checking : copy.askDone}
          </Button>
          <View className='returned-second'>
            <Button kind='secondary' block disabled={busy} onClick={() => answer(false)}>
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
