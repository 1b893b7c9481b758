import { View } from '@tarojs/components'
import { accuracyText } from '@/contract/labels'
import { momentInPastText } from '@/contract/timeText'
import type { Order, ValuationEvaluation } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Notice } from '@/ui/Notice/Notice'
import { Stars } from '@/ui/Stars/Stars'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from '../copy'

/** Consequence of a low score: a revaluation by an appraiser, or a free-report coupon for a paid report. */
function lowScoreNotice({ score, coupon }: ValuationEvaluation, { mode, status }: Order): string | undefined {
  if (score <= 2 && mode === 'MANUAL' && status === 'REVALUING') return copy.lowPerson
  return coupon && copy.lowTicket[coupon]
}

/** The rating, read-only, and what it led to. */
export function SubmittedReview({ review, order }: { review: ValuationEvaluation; order: Order }) {
  const { score, accuracy, content, createdAt } = review
  const says = lowScoreNotice(review, order)
  return (
    <>
      {says ? <Notice tone='info' text={says} /> : null}
      <Card className='ev-card'>
        <Stars label={copy.score} value={score} words={copy.scoreWords} />
        <View className='ev-chips'>
          <Tag tone='blue'>{accuracyText[accuracy]}</Tag>
        </View>
        {content ? <View className='ev-text'>{content}</View> : null}
      </Card>
      <Card flush>
        <Cell title={copy.sentAt} value={momentInPastText(createdAt, serverTime())} />
      </Card>
    </>
  )
}
