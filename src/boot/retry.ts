import { dialog } from '@/platform/dialog'
import type { Question } from '@/platform/dialog/port'

let question: (Question & { waiting: number }) | undefined

/** One overlay for all calls that fail together; a tap retries all of them. */
export function retryPrompt(text: string): Question {
  question ??= { ...dialog.tapToRetry(text), waiting: 0 }
  const mine = question
  mine.waiting++
  void mine.answer.then(() => {
    if (question === mine) question = undefined
  })
  return { answer: mine.answer, close: () => void (--mine.waiting === 0 && mine.close()) }
}
