import { View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { accuracyText } from '@/contract/labels'
import { momentInPastText } from '@/contract/timeText'
import type { Order, ValuationEvaluation } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { dialog } from '@/platform/dialog'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Card } from '@/ui/Card/Card'
import { Notice } from '@/ui/Notice/Notice'
import { Stars } from '@/ui/Stars/Stars'
import { Tag } from '@/ui/Tag/Tag'
import { TextArea } from '@/ui/TextArea/TextArea'
import { copy } from '../copy'
import { PICTURES_MAX } from '../model'
import { ReviewPicturePicker } from './ReviewPicturePicker'
import { ReviewPictures } from './ReviewPictures'

function ReviewFacts({ review }: { review: ValuationEvaluation }) {
  const { score, accuracy, speed, service, tags = [], content, images = [], anonymous } = review
  return (
    <Card className='ev-card'>
      <Stars label={copy.score} value={score} words={copy.scoreWords} />
      <View className='ev-chips'>
        <Tag tone='blue'>{accuracyText[accuracy]}</Tag>
        {tags.map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
        {anonymous ? <Tag>{copy.anonymousTag}</Tag> : null}
      </View>
      {speed ? <Stars label={copy.speed} value={speed} words={copy.scoreWords} /> : null}
      {service ? <Stars label={copy.service} value={service} words={copy.scoreWords} /> : null}
      {content ? <View className='ev-text'>{content}</View> : null}
      {images.length > 0 ? <ReviewPictures keys={images} /> : null}
    </Card>
  )
}

interface Props {
  review: ValuationEvaluation
  onChange: (review: ValuationEvaluation) => void
}

function AdditionForm({ review, onChange }: Props) {
  const { orderId, score, accuracy } = review
  const [text, setText] = useState('')
  const [images, setImages] = useState<string[]>([])
  const [pending, setPending] = useState<string>()
  const { busy, failure, setFailure, run } = useAction()
  function send() {
    const content = text.trim()
    if (content === '' && images.length === 0) return setFailure(copy.addNeed)
    void run(async () => {
      // the call requires the scores; the server keeps the original ones
      const added = { orderId, score, accuracy, content, ...(images.length > 0 && { images }) }
      onChange(await api.evaluation.saveEvaluation(added, { quiet: true }))
      dialog.toast(copy.addSent)
    })
  }
  return (
    <>
      <Card className='ev-card'>
        <TextArea
          label={copy.addTitle}
          value={text}
          onChange={setText}
          maxLength={200}
          placeholder={copy.addHint}
          error={failure}
        />
        <ReviewPicturePicker
          label={copy.pictures}
          max={PICTURES_MAX}
          keys={images}
          onKeys={setImages}
          onPending={setPending}
        />
      </Card>
      <ActionBar
        primary={{ text: copy.addYes, loading: busy, disabled: pending !== undefined, onClick: send }}
        note={pending}
      />
    </>
  )
}

/** Consequence of a low score: a revaluation by an appraiser, or a free-report coupon for a paid report. */
function lowScoreNotice({ score, coupon }: ValuationEvaluation, { mode, status }: Order): string | undefined {
  if (score <= 2 && mode === 'MANUAL' && status === 'REVALUING') return copy.lowPerson
  return coupon && copy.lowTicket[coupon]
}

/** Read-only after submission; one addition is possible while the server accepts it. */
export function SubmittedReview({ review, order, onChange }: Props & { order: Order }) {
  const { addedAt, addition, additionImages = [] } = review
  const notice = lowScoreNotice(review, order)
  return (
    <>
      {notice ? <Notice tone='info' text={notice} /> : null}
      <ReviewFacts review={review} />
      {addedAt === undefined && order.actions.includes('EVALUATE') ? (
        <AdditionForm review={review} onChange={onChange} />
      ) : null}
      {addedAt === undefined ? null : (
        <Card title={copy.added} extra={momentInPastText(addedAt, serverTime())}>
          {addition ? <View className='ev-text'>{addition}</View> : null}
          {additionImages.length > 0 ? <ReviewPictures keys={additionImages} /> : null}
        </Card>
      )}
    </>
  )
}
