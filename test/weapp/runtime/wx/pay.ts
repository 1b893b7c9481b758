/**
 * WeChat's own cashier. What the user does there reaches the merchant's server directly, not through the app; the app
 * only learns one of three ends, as on a device: ok, cancelled, failed.
 */
import { active, during, phone } from '../state'
import { type Api, calls, Refused } from './call'

interface Params {
  timeStamp: string
  nonceStr: string
  package: string
  signType: string
  paySign: string
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Tells the sandbox what happened, as WeChat's servers tell the merchant's. */
async function tell(prepayId: string, result: 'SUCCESS' | 'FAIL') {
  const url = `${phone.domains[0]}/sandbox/cashier/${prepayId}`
  const answer = await window.hostHttp({
    id: -Date.now(),
    timeoutMs: 10_000,
    url,
    method: 'POST',
    headers: FORM,
    body: `result=${result}`,
  })
  if (!answer.ok || answer.status >= 400) throw new Error(`the sandbox does not take ${result}`)
}

function ask(): Promise<'支付' | '取消支付' | '余额不足'> {
  return new Promise((resolve) => {
    const layer = document.querySelector('#overlay') as HTMLElement
    const modal = document.createElement('div')
    modal.className = 'host-modal'
    const box = document.createElement('div')
    box.className = 'host-modal__box'
    modal.append(box)
    for (const text of ['支付', '取消支付', '余额不足'] as const) {
      const button = document.createElement('div')
      button.className = 'host-modal__button'
      button.textContent = text
      button.addEventListener('click', () => {
        modal.remove()
        active()
        resolve(text)
      })
      box.append(button)
    }
    layer.append(modal)
  })
}

async function requestPayment(given: Params) {
  for (const name of ['timeStamp', 'nonceStr', 'package', 'signType', 'paySign'] as const)
    if (typeof given[name] !== 'string' || given[name] === '') throw new Refused(`parameter error: ${name}`)
  const [, prepayId] = /^prepay_id=([\w-]+)$/.exec(given.package) ?? []
  if (!prepayId) throw new Refused('parameter error: package')
  const choice = await ask()
  if (choice === '取消支付') throw new Refused('cancel')
  await during(tell(prepayId, choice === '支付' ? 'SUCCESS' : 'FAIL'))
  if (choice === '余额不足') throw new Refused('-1 余额不足')
}

export const payApi: Record<string, Api> = calls({ requestPayment })
