/**
 * WeChat's privacy guide: until the user agreed, each guarded function waits while the app asks. What the app claims about the
 * answer is ignored: only a tap on a button of this kind with that id counts.
 */
import { active, phone, problem } from '../state'
import { type Api, event, Refused } from './call'

interface Answer {
  event: 'exposureAuthorization' | 'agree' | 'disagree'
  buttonId?: string
}

type Resolve = (answer: Answer) => void

/** ms from the tap on a button to the event that reports it: the host processes it first */
const HOST_MS = 60

/** WeChat remembers the agreement, whatever the app does with its own storage. */
const AGREED = 'host:privacy'

const wanted = event<Resolve>('NeedPrivacyAuthorization')
const tapped = new Set<string>()
let asked = false

/** The agree button `id` was tapped; `told` reports it to the app if the button is still mounted. */
export function agreeTapped(id: string, told: () => void) {
  tapped.add(id)
  localStorage.setItem(AGREED, '1')
  active()
  setTimeout(told, HOST_MS)
}

/** Waits until the user has agreed. @throws Refused 104 when he does not */
export async function guided(name: string): Promise<void> {
  if (phone.privacyAgreed || localStorage.getItem(AGREED)) return
  if (!asked) problem(`wx.${name} is held back by the privacy guide, and nobody asks the user`)
  const answer = await new Promise<Answer>((resolve) => {
    const told: Resolve = (given) => {
      if (given.event !== 'exposureAuthorization') resolve(given)
    }
    wanted.fire(told)
  })
  if (answer.event === 'agree' && tapped.has(answer.buttonId ?? '')) return
  if (answer.event === 'agree') problem(`privacy guide: nobody tapped the agree button ${answer.buttonId}`)
  throw new Refused('privacy permission is not authorized', 104)
}

export const privacyApi: Record<string, Api> = {
  onNeedPrivacyAuthorization: (listener: (resolve: Resolve) => void) => {
    asked = true
    wanted.api.onNeedPrivacyAuthorization?.(listener as never)
  },
}
