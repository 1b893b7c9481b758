import type { Action, Confirm, Dialog } from './port'

/** Records what the user would see; `answer` decides confirm dialogs and taps. */
export function fakeDialog(answer: (asked: string) => boolean | Promise<boolean> = () => true) {
  const toasts: string[] = []
  const actions: Action[] = []
  const confirms: Confirm[] = []
  const retries: string[] = []
  let busy = 0
  const dialog: Dialog = {
    toast(text, action) {
      toasts.push(text)
      if (action) actions.push(action)
    },
    async confirm(o) {
      confirms.push(o)
      return answer(o.content)
    },
    loading() {
      busy++
      return () => void busy--
    },
    tapToRetry(text) {
      retries.push(text)
      return { answer: Promise.resolve(answer(text)), close: () => undefined }
    },
  }
  return { dialog, toasts, actions, confirms, retries, busy: () => busy }
}
