import { View } from '@tarojs/components'
import { useState } from 'react'
import { AppError, api } from '@/api'
import { usePictures } from '@/api/usePictures'
import type { Order } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { Button } from '@/ui/Button/Button'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'
import { Notice } from '@/ui/Notice/Notice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { TextArea } from '@/ui/TextArea/TextArea'
import { copy } from '../copy'
import './sheets.scss'

interface Props {
  order: Order
  kind: 'supply' | 'recheck'
  onClose: () => void
  onDone: () => void
}

/** as many as a form takes */
const PICTURES_MAX = 9

const words = {
  supply: {
    title: copy.supplyTitle,
    label: copy.supplyLabel,
    hint: copy.supplyHint,
    yes: copy.supplyYes,
    done: copy.supplied,
  },
  recheck: {
    title: copy.recheckTitle,
    label: copy.recheckLabel,
    hint: copy.recheckHint,
    yes: copy.recheckYes,
    done: copy.rechecked,
  },
} as const

/** Both go to the appraiser of the order; the form's own answers stay as they are. */
async function submitInfo({ gameId, orderId, level = 'STD' }: Order, remark: string, images: string[]) {
  const { schemaVersion } = await api.evaluation.gameConfig({ gameId, mode: 'MANUAL' }, { quiet: true })
  await api.evaluation.submitManual(
    { gameId, schemaVersion, answers: {}, level, remark, images, orderId },
    { quiet: true },
  )
}

/** What the appraiser asked for, or why the report should be looked at again. */
export function SupplySheet({ order, kind, onClose, onDone }: Props) {
  const [text, setText] = useState('')
  const [images, setImages] = useState<string[]>([])
  const { picker, uploading } = usePictures({ scene: 'ACCOUNT', keys: images, onKeys: setImages, max: PICTURES_MAX })
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const says = words[kind]

  async function submit() {
    if (busy) return
    if (uploading) return setFailure(copy.uploading)
    if (text.trim() === '' && images.length === 0) return setFailure(copy.textNeed)
    setBusy(true)
    setFailure(undefined)
    try {
      await submitInfo(order, text.trim(), images)
      dialog.toast(says.done)
      onClose()
      onDone()
    } catch (e) {
      if (!(e instanceof AppError)) throw e
      setFailure(e.detail)
    } finally {
      setBusy(false)
    }
  }

  const note = kind === 'supply' ? order.notice : copy.recheckNote
  return (
    <Sheet
      open
      onClose={onClose}
      title={says.title}
      foot={
        <>
          {failure ? <Notice tone='bad' text={failure} /> : null}
          <Button block loading={busy} onClick={() => void submit()}>
            {says.yes}
          </Button>
        </>
      }
    >
      {note ? <View className='order-sheet__note'>{note}</View> : null}
      <View className='order-sheet__text'>
        <TextArea label={says.label} value={text} onChange={setText} maxLength={200} placeholder={says.hint} required />
      </View>
      <View className='order-sheet__text'>
        <ImagePicker label={copy.supplyPictures} {...picker} />
      </View>
    </Sheet>
  )
}
