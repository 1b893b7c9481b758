/** One-time messages: requested within a tap, at most three templates at once, each accepted, rejected or banned. */
import { inTap, phone } from '../state'
import { type Api, answer, Refused } from './call'
import { choice } from './ui'

const MAX_TEMPLATES = 3

interface Ask {
  tmplIds: string[]
}

const refused = (reason: string, errCode: number) => new Refused(reason, undefined, errCode)

async function ask({ tmplIds }: Ask, byFinger: boolean) {
  if (!Array.isArray(tmplIds) || tmplIds.length === 0) throw refused('parameter error: tmplIds', 10001)
  if (!byFinger) throw refused('can only be invoked by user TAP gesture.', 10005)
  if (tmplIds.length > MAX_TEMPLATES) throw refused('Templates count out of max bounds', 20003)
  if (tmplIds.some((id) => !phone.templates[id]))
    throw refused('No template data return, verify the template id exist', 20001)
  if (!phone.messages) throw refused('The main switch is switched off', 20004)
  // permanent answers are not requested again; a banned template is not shown
  const open = tmplIds.filter((id) => phone.templates[id] === 'ask')
  const allowed = open.length > 0 && (await choice(['允许发送通知', '不允许发送'])) === '允许发送通知'
  const said = (id: string) => (phone.templates[id] === 'ask' ? (allowed ? 'accept' : 'reject') : phone.templates[id])
  return Object.fromEntries(tmplIds.map((id) => [id, said(id)]))
}

function requestSubscribeMessage(options: Ask) {
  const byFinger = inTap()
  return answer(
    'requestSubscribeMessage',
    options,
    Promise.resolve().then(() => ask(options, byFinger)),
  )
}

export const messageApi: Record<string, Api> = { requestSubscribeMessage: requestSubscribeMessage as Api }
