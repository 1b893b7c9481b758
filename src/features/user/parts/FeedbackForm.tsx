import { usePictures } from '@/api/usePictures'
import { feedbackTypeText } from '@/contract/labels'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { Chips } from '@/ui/Chip/Chips'
import { Empty } from '@/ui/Empty/Empty'
import { Field } from '@/ui/Field/Field'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'
import { Notice } from '@/ui/Notice/Notice'
import { TextArea } from '@/ui/TextArea/TextArea'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import { FEEDBACK_MAX, type FeedbackType, useFeedback } from '../useFeedback'
import './FeedbackForm.scss'

const words = copy.feedback
const PICTURES = 4
export const feedbackTypes = Object.entries(feedbackTypeText).map(([v, t]) => ({ v: Number(v) as FeedbackType, t }))

interface Props {
  type: FeedbackType | undefined
  onSeeMine: () => void
}

/** Feedback form: type, text, pictures and contact. */
export function FeedbackForm({ type, onSeeMine }: Props) {
  const form = useFeedback(type)
  const { picker, pending } = usePictures({
    scene: 'FEEDBACK',
    keys: form.images,
    onKeys: form.setImages,
    max: PICTURES,
  })
  if (form.sent)
    return (
      <Empty
        art='done'
        text={words.thanks}
        note={words.thanksNote}
        action={{ text: words.seeMine, onClick: onSeeMine }}
      />
    )
  return (
    <Card>
      <Field label={words.type} required error={form.errors.type}>
        <Chips
          role='radio'
          label={words.type}
          options={feedbackTypes}
          isOn={(type) => form.type === type}
          onPick={form.pick}
        />
      </Field>
      <TextArea
        label={words.content}
        required
        value={form.content}
        onChange={form.write}
        maxLength={FEEDBACK_MAX}
        placeholder={words.contentPlaceholder}
        error={form.errors.content}
      />
      <ImagePicker label={words.images} help={words.imagesHelp} error={form.errors.images} {...picker} />
      <TextInput
        label={words.contact}
        value={form.contact}
        onChange={form.setContact}
        placeholder={words.contactPlaceholder}
        maxLength={50}
        error={form.errors.contact}
      />
      {form.errors.form ? <Notice tone='bad' text={form.errors.form} /> : null}
      <Button size='l' block loading={form.busy} onClick={() => form.submit(pending)}>
        {form.busy ? words.submitting : words.submit}
      </Button>
    </Card>
  )
}
