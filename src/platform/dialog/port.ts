/** longer than a plain toast, so that the action can be read and tapped */
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
  /** `null`: no cancel button */
  cancelText?: string | null
}

export interface Question {
  answer: Promise<boolean>
  /** Closes the dialog where the runtime supports that; the answer is then false. */
  close(): void
}

/** Global messages. Screens show their own dialogs with `ui/`. */
export interface Dialog {
  /** Shows a toast, replacing an earlier one; tapping it (in the mini-program, its button) runs `action`. */
  toast(text: string, action?: Action): void
  /** @returns whether it was confirmed. Concurrent dialogs are queued. */
  confirm(o: Confirm): Promise<boolean>
  /** Blocks taps until the returned function is called; nested calls show one indicator. */
  loading(text?: string): () => void
  /** Full-screen prompt: a tap anywhere answers true, closing it false. */
  tapToRetry(text: string): Question
}

/** Queue that runs tasks sequentially; used for dialogs on both platforms. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work)
    last = mine
    return mine
  }
}
