import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import type { Order, ValuationEvaluation } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { usePersistedInput } from '@/session/usePersistedInput'
import { ActionBar } from '@/ui/ActionBar/ActionBar'
import { Card } from '@/ui/Card/Card'
import { Chips, optionsOf } from '@/ui/Chip/Chips'
import { Field } from '@/ui/Field/Field'
import { Notice } from '@/ui/Notice/Notice'
import { Stars } from '@/ui/Stars/Stars'
import { Switch } from '@/ui/Switch/Switch'
import { TextArea } from '@/ui/TextArea/TextArea'
import { copy } from '../copy'
import {
  consequenceOf,
  emptyDraft,
  type Issues,
  issuesOf,
  needsContent,
  PICTURES_MAX,
  type ReviewDraft,
  TAGS_MAX,
  toRequest,
} from '../model'
import { ReviewPicturePicker } from './ReviewPicturePicker'

interface PartProps {
  order: Order
  draft: ReviewDraft
  issues: Issues
  set: (part: Partial<ReviewDraft>) => void
}

const consequences = { REVALUATION: copy.startsRevaluation, END: copy.endsOrder }

function Ratings({ order, draft, issues, set }: PartProps) {
  const words = copy.scoreWords
  const consequence = consequenceOf(order, draft)
  return (
    <Card className='ev-card'>
      <Stars
        label={copy.score}
        required
        value={draft.score}
        words={words}
        onChange={(score) => set({ score })}
        error={issues.score}
        warning={consequence && consequences[consequence]}
      />
      <Field label={copy.accuracy} required error={issues.accuracy}>
        <Chips
          role='radio'
          label={copy.accuracy}
          options={optionsOf(copy.accuracies)}
          isOn={(accuracy) => draft.accuracy === accuracy}
          onPick={(accuracy) => set({ accuracy })}
        />
      </Field>
      {order.mode === 'MANUAL' ? (
        <>
          <Stars label={copy.speed} value={draft.speed} words={words} onChange={(speed) => set({ speed })} />
          <Stars label={copy.service} value={draft.service} words={words} onChange={(service) => set({ service })} />
        </>
      ) : null}
    </Card>
  )
}

function TagsAndText({
  order,
  draft,
  issues,
  set,
  onPending,
}: PartProps & { onPending: (pending: string | undefined) => void }) {
  return (
    <Card className='ev-card'>
      <Field label={copy.tags} extra={copy.tagsHint}>
        <Chips
          role='checkbox'
          label={copy.tags}
          options={copy.tagList.map((tag) => ({ v: tag, t: tag }))}
          isOn={(tag) => draft.tags.includes(tag)}
          isDisabled={(tag) => draft.tags.length >= TAGS_MAX && !draft.tags.includes(tag)}
          onPick={(tag) =>
            set({
              tags: draft.tags.includes(tag) ? draft.tags.filter((accuracy) => accuracy !== tag) : [...draft.tags, tag],
            })
          }
        />
      </Field>
      <TextArea
        label={copy.content}
        value={draft.content}
        onChange={(content) => set({ content })}
        maxLength={200}
        placeholder={copy.contentHint}
        required={needsContent(order, draft)}
        error={issues.content}
      />
      <ReviewPicturePicker
        label={copy.pictures}
        max={PICTURES_MAX}
        keys={draft.images}
        onKeys={(images) => set({ images })}
        onPending={onPending}
      />
      <Field label={copy.anonymous} help={copy.anonymousNote} inline>
        <Switch name={copy.anonymous} value={draft.anonymous} onChange={(anonymous) => set({ anonymous })} />
      </Field>
    </Card>
  )
}

interface Props {
  order: Order
  onSent: (evaluation: ValuationEvaluation) => void
}

/** Review form. Nothing is preselected, and input is kept until it has been sent. */
export function ReviewForm({ order, onSent }: Props) {
  const { orderId } = order
  const [draft, set, forget] = usePersistedInput(`review:${orderId}`, () => emptyDraft)
  const [tried, setTried] = useState(false)
  const [pending, setPending] = useState<string>()
  const { busy, failure, run } = useAction()
  const issues = issuesOf(order, draft)
  const first = Object.values(issues)[0]

  function submit() {
    setTried(true)
    if (first !== undefined) return
    void run(async () => {
      const saved = await api.evaluation.saveEvaluation(toRequest(orderId, draft), { quiet: true })
      forget()
      dialog.toast(copy.sent)
      onSent(saved)
    })
  }

  const shown = { order, draft, set, issues: tried ? issues : {} }
  return (
    <>
      <Ratings {...shown} />
      <TagsAndText {...shown} onPending={setPending} />
      {failure ? <Notice tone='bad' text={failure} /> : null}
      <ActionBar
        primary={{ text: copy.submit, loading: busy, disabled: pending !== undefined, onClick: submit }}
        note={pending ?? (tried ? first : undefined) ?? copy.once}
      />
    </>
  )
}
