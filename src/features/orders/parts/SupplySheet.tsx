import { View } from '@tarojs/components'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { usePictures } from '@/api/usePictures'
import { supplyUntilText } from '@/contract/orderStatus'
import type { Order } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { dialog } from '@/platform/dialog'
import { usePersistedInput } from '@/session/usePersistedInput'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'
import { Sheet } from '@/ui/Sheet/Sheet'
import { TextArea } from '@/ui/TextArea/TextArea'
import { copy } from '../copy'
import './sheets.scss'

interface Props {
  order: Order
  kind: 'supply' | 'revaluation'
  /** false in native apps that may not show prices */
  prices: boolean
  onClose: () => void
  onDone: () => void
}

/** the same limit as in the form */
const PICTURES_MAX = 9

interface Info {
  remark: string
  images: string[]
}

/** Why the sheet cannot be submitted yet; undefined when it can. */
function missing(kind: Props['kind'], { remark, images }: Info): string | undefined {
  if (kind === 'supply') return remark === '' && images.length === 0 ? copy.textNeed : undefined
  return remark === '' ? copy.revaluationNeed : undefined
}

/** Form for the information the appraiser asked for, or for the reason of a revaluation. */
export function SupplySheet({ order, kind, prices, onClose, onDone }: Props) {
  const [{ text, images }, set, forget] = usePersistedInput(`${kind}:${order.orderId}`, () => ({
    text: '',
    images: [] as string[],
  }))
  const { picker, pending } = usePictures({
    ...{ scene: 'ACCOUNT', keys: images, max: PICTURES_MAX },
    onKeys: (keys) => set({ images: keys }),
  })
  const { failure, setFailure, busy, run } = useAction()
  const texts = copy[kind]

  function submit() {
    if (pending) return setFailure(pending)
    const info = { remark: text.trim(), images }
    const lack = missing(kind, info)
    if (lack) return setFailure(lack)
    void run(async () => {
      // for the appraiser: the answers of the form do not change
      const { gameId, orderId, level = 'STD' } = order
      const { schemaVersion } = await api.evaluation.gameConfig({ gameId, mode: 'MANUAL' }, { quiet: true })
      await api.evaluation.submitManual(
        { gameId, schemaVersion, answers: {}, level, orderId, ...info },
        { quiet: true },
      )
      forget()
      dialog.toast(texts.done)
      onClose()
      onDone()
    })
  }

  const { notice, supplyUntil, payFen } = order
  return (
    <Sheet
      open
      onClose={onClose}
      title={texts.title}
      failure={failure}
      action={{ text: texts.yes, loading: busy, onClick: submit }}
    >
      {kind === 'supply' ? (
        <>
          {notice ? <View className='order-sheet__title'>{notice}</View> : null}
          {supplyUntil ? (
            <View className='order-sheet__note'>
              {supplyUntilText(supplyUntil, serverTime(), prices && payFen > 0)}
            </View>
          ) : null}
        </>
      ) : (
        <View className='order-sheet__note'>{copy.revaluationNote}</View>
      )}
      <View className='order-sheet__text'>
        <TextArea
          label={texts.label}
          value={text}
          onChange={(next) => set({ text: next })}
          maxLength={200}
          placeholder={texts.hint}
          required={kind === 'revaluation'}
        />
      </View>
      <View className='order-sheet__text'>
        <ImagePicker label={copy.supplyPictures} {...picker} />
      </View>
    </Sheet>
  )
}
