import { View } from '@tarojs/components'
import { useState } from 'react'
import { usePictures } from '@/api/usePictures'
import type { Order } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { Button } from '@/ui/Button/Button'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'
import { Notice } from '@/ui/Notice/Notice'
import { Sheet } from '@/ui/Sheet/Sheet'
import { copy } from '../copy'
import { useOrderChange } from '../useOrderChange'
import './note.scss'

/** the same limit as in the form */
const PICTURES_MAX = 9

function PicturesSheet({ order, onClose, onAdded }: { order: Order; onClose: () => void; onAdded: () => void }) {
  const [keys, setKeys] = useState<string[]>([])
  const { picker, pending } = usePictures({ scene: 'ACCOUNT', keys, onKeys: setKeys, max: PICTURES_MAX })
  const { change, busy, failure, setFailure } = useOrderChange(order, () => {
    dialog.toast(copy.picturesSaved)
    onClose()
    onAdded()
  })
  const save = () => {
    const lack = pending ?? (keys.length === 0 ? copy.picturesNone : undefined)
    if (lack) return setFailure(lack)
    void change({ images: keys })
  }
  return (
    <Sheet
      open
      onClose={onClose}
      title={copy.pictures}
      foot={
        <>
          {failure ? <Notice tone='bad' text={failure} /> : null}
          <Button block loading={busy} onClick={save}>
            {copy.picturesSave}
          </Button>
        </>
      }
    >
      <View className='summary-note'>
        <ImagePicker label={copy.pictures} {...picker} />
      </View>
    </Sheet>
  )
}

/** What a manual valuation without pictures means, before it is paid, and a way to add some. */
export function MissingPictures({ order, onAdded }: { order: Order; onAdded: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Notice tone='warn' text={copy.noPictures} action={{ text: copy.picturesAdd, onClick: () => setOpen(true) }} />
      {open ? <PicturesSheet order={order} onClose={() => setOpen(false)} onAdded={onAdded} /> : null}
    </>
  )
}
