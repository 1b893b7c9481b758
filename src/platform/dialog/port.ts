/** ms: a toast with something to tap has to be read and reached. */
export const ACTION_MS = 6000

export interface Action {
  label: string
  run(): void
}

export interface Confirm {
  title: string
  content: string
  /** At most 4 characters: the mini-program allows no more. */
  confirmText?: string
  /** `null`: there is nothing to cancel. */
  cancelText?: string | null
}

export interface Question {
  answer: Promise<boolean>
  /** Takes the question away unanswered, where the runtime can; the answer is then false. */
  close(): void
}

/** Messages that belong to no screen. Screens show their own dialogs with `ui/`. */
export interface Dialog {
  /** Small news; with `action` a tap on it (a button in the mini-program) runs it. Replaces an earlier toast. */
  toast(text: string, action?: Action): void
  /** True when confirmed. Dialogs asked for at the same time come one after the other. */
  confirm(o: Confirm): Promise<boolean>
  /** Blocks taps until the returned function is called; nested calls show one indicator. */
  loading(text?: string): () => void
  /** Covers the screen with `text`: a tap anywhere answers true, the way out answers false. */
  tapToRetry(text: string): Question
}

/** Runs one after the other; used by both platforms for dialogs. */
export function inTurn() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work)
    last = mine
    return mine
  }
}
