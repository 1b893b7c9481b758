import { useState } from 'react'
import { type ApiError, api, isShown } from '@/api'
import { useAction } from '@/api/useAction'
import type { Req } from '@/contract/types'
import { usePersistedInput } from '@/session/usePersistedInput'
import { copy } from './copy'

const words = copy.feedback
export type FeedbackType = Req<'user', 'submitFeedback'>['type']
export const FEEDBACK_MIN = 10
export const FEEDBACK_MAX = 500

interface Errors {
  type?: string | undefined
  content?: string | undefined
  images?: string | undefined
  contact?: string | undefined
  form?: string | undefined
}

/** State of the feedback form; input is kept until it has been sent. `first`: the type that the link names. */
export function useFeedback(first: FeedbackType | undefined) {
  const [kept, set, forget] = usePersistedInput('feedback', () => ({
    type: first,
    // the type that the link named when the user picked another
    instead: undefined as FeedbackType | undefined,
    content: '',
    contact: '',
    images: [] as string[],
  }))
  const input = { ...kept, type: first === kept.instead ? kept.type : (first ?? kept.type) }
  const { type, content, contact, images } = input
  const [errors, setErrors] = useState<Errors>({})
  const { busy, run } = useAction()
  const [sent, setSent] = useState(false)

  async function send(request: Req<'user', 'submitFeedback'>) {
    await api.user.submitFeedback(request, { quiet: ['VALIDATION_FAILED', 'REQUEST_TOO_BUSY_PLEASE_WAIT'] })
    forget()
    setSent(true)
  }
  function failed(e: ApiError) {
    setErrors(errorText(e))
    return undefined
  }

  function submit(pending: string | undefined) {
    const found: Errors = {
      type: type === undefined ? words.pickType : undefined,
      content: Array.from(content.trim()).length < FEEDBACK_MIN ? words.tooShort : undefined,
      images: pending,
    }
    setErrors(found)
    if (type === undefined || found.content || found.images) return
    const contacts = contact.trim() === '' ? {} : { contact: contact.trim() }
    void run(() => send({ type, content: content.trim(), images, ...contacts }), failed)
  }

  return {
    ...{ ...input, errors, busy, sent, submit },
    setContact: (text: string) => set({ contact: text }),
    setImages: (keys: string[]) => set({ images: keys }),
    pick(next: FeedbackType) {
      set({ type: next, instead: first })
      setErrors((old) => ({ ...old, type: undefined }))
    },
    write(text: string) {
      set({ content: text })
      setErrors((old) => ({ ...old, content: undefined }))
    },
  }
}

function errorText(e: ApiError): Errors {
  const fields = Object.fromEntries((e.fields ?? []).map(({ path, msg }) => [path.split('.')[0], msg]))
  if (Object.keys(fields).length > 0) return fields
  return isShown(e) || e.kind === 'abort' ? {} : { form: e.kind === 'network' ? words.failed : e.msg }
}
