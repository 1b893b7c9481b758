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
import { TextArea } from '@/ui/TextArea/TextArea'
import { copy } from '../copy'
import { consequenceOf, type Issues, issuesOf, needsContent, type ReviewDraft } from '../model'

const consequences = { REVALUATION: copy.startsRevaluation, END: copy.endsOrder }

interface Props {
  order: Order
  onSent: (evaluation: ValuationEvaluation) => void
}

/** Review form. Nothing is preselected, and input is kept until it has been sent. */
export function ReviewForm({ order, onSent }: Props) {
  const { orderId } = order
  const [draft, set, forget] = usePersistedInput(
    `review:${orderId}`,
    (): ReviewDraft => ({ score: 0, accuracy: undefined, content: '' }),
  )
  const [tried, setTried] = useState(false)
  const { busy, failure, run } = useAction()
  const { score, accuracy, content } = draft
  const issues = issuesOf(order, draft)
  const first = Object.values(issues)[0]
  const shown: Issues = tried ? issues : {}
  const consequence = consequenceOf(order, draft)

  function submit() {
    setTried(true)
    if (first !== undefined || !accuracy) return
    void run(async () => {
      const saved = await api.evaluation.saveEvaluation(
        { orderId, score, accuracy, content: content.trim() },
        { quiet: true },
      )
      forget()
      dialog.toast(copy.sent)
      onSent(saved)
    })
  }

  return (
    <>
      <Card className='ev-card'>
        <Stars
          label={copy.score}
          required
          value={score}
          words={copy.scoreWords}
          onChange={(stars) => set({ score: stars })}
          error={shown.score}
          warning={consequence && consequences[consequence]}
        />
        <Field label={copy.accuracy} required error={shown.accuracy}>
          <Chips
            role='radio'
            label={copy.accuracy}
            options={optionsOf(copy.accuracies)}
            isOn={(one) => accuracy === one}
            onPick={(one) => set({ accuracy: one })}
          />
        </Field>
        <TextArea
          label={copy.content}
          value={content}
          onChange={(text) => set({ content: text })}
          maxLength={200}
          placeholder={copy.contentHint}
          required={needsContent(order, draft)}
          error={shown.content}
        />
      </Card>
      {failure ? <Notice tone='bad' text={failure} /> : null}
      <ActionBar
        primary={{ text: copy.submit, loading: busy, onClick: submit }}
        note={(tried ? first : undefined) ?? copy.once}
      />
    </>
  )
}
