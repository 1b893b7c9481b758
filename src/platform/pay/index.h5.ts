import { closeOverlays } from '../backHandler'
import { hintOf, type PayHint, type Payments } from './port'

interface Bridge {
  invoke(name: string, params: Record<string, string>, done: (r: { err_msg?: string }) => void): void
}
type WithBridge = Window & { WeixinJSBridge?: Bridge }

/** WeChat injects its bridge shortly after the page starts; time-out for waiting for it */
const BRIDGE_LIMIT = 3000

const inWechat = () => /MicroMessenger/i.test(navigator.userAgent)

function bridge(): Promise<Bridge | undefined> {
  const ready = () => (window as WithBridge).WeixinJSBridge
  if (ready()) return Promise.resolve(ready())
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), BRIDGE_LIMIT)
    document.addEventListener(
      'WeixinJSBridgeReady',
      () => {
        clearTimeout(timer)
        resolve(ready())
      },
      { once: true },
    )
  })
}

async function jsapi(params: Record<string, string>): Promise<PayHint> {
  const host = await bridge()
  if (!host) return 'failed'
  return new Promise((resolve) =>
    host.invoke('getBrandWCPayRequest', params, ({ err_msg }) => resolve(hintOf(err_msg))),
  )
}

/** Payment interface of the iOS app: buys from Apple and reports the result, or nothing if it is not yet known. */
interface AppleHandler {
  postMessage(params: Record<string, string>): Promise<PayHint | undefined> | undefined
}
type InShell = Window & { webkit?: { messageHandlers?: { applePay?: AppleHandler } } }
const appleHandler = () => (window as InShell).webkit?.messageHandlers?.applePay

async function apple(handler: AppleHandler, params: Record<string, string>): Promise<PayHint> {
  try {
    return (await handler.postMessage(params)) ?? 'left'
  } catch {
    return 'failed'
  }
}

/** Only http(s) URLs: a `javascript:` URL would run in our page. */
const isWeb = (address: string) => /^https?:$/.test(new URL(address, location.href).protocol)

/** Rebuilds the provider's form from its fields, so that no foreign markup runs in this page, and submits it. */
function submit(html: string): PayHint {
  const theirs = new DOMParser().parseFromString(html, 'text/html').querySelector('form')
  const action = theirs?.getAttribute('action')
  if (!theirs || !action || !isWeb(action)) return 'failed'
  const form = document.createElement('form')
  form.method = theirs.method
  form.action = action
  form.acceptCharset = 'utf-8'
  for (const { name, value } of theirs.querySelectorAll<HTMLInputElement>('input[name], textarea[name]')) {
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name, value })
    form.append(field)
  }
  document.body.append(form)
  go(() => form.submit())
  form.remove()
  return 'left'
}

const MARK = 'gav.pay.steps'

/**
 * Opens the cashier in a separate history entry and remembers how long the history is then: what the cashier
 * adds can be counted when going back. The new entry discards earlier forward entries.
 */
function go(open: () => void) {
  history.replaceState({ ...history.state, cashier: true }, '')
  history.pushState(history.state, '')
  try {
    sessionStorage.setItem(MARK, String(history.length - 1))
  } catch {
    // without the mark "back" leads to the cashier
  }
  // a page restored from the back/forward cache would not notice the payment
  window.addEventListener('pageshow', ({ persisted }) => persisted && location.reload(), { once: true })
  open()
}

function leaveBehind(): boolean {
  try {
    const before = Number(sessionStorage.getItem(MARK))
    sessionStorage.removeItem(MARK)
    const steps = history.length - before
    // the user has already navigated back
    if (before === 0 || steps <= 0 || history.state?.cashier) return false
    history.go(-steps)
    return true
  } catch {
    return false
  }
}

export const payments: Payments = {
  env: () => (inWechat() ? 'WECHAT' : 'BROWSER'),
  async start({ payParams, jumpUrl, form }, iosPayParams) {
    const handler = iosPayParams && appleHandler()
    if (handler) return apple(handler, { ...iosPayParams, ...payParams })
    if (payParams && !iosPayParams) return jsapi(payParams)
    // otherwise the pending removal of a sheet's history entry would navigate back from the cashier
    await closeOverlays()
    if (form) return submit(form)
    if (!jumpUrl || !isWeb(jumpUrl)) return 'failed'
    go(() => location.replace(jumpUrl))
    return 'left'
  },
  returnUrl: (path) => location.origin + path,
  leaveBehind,
}
