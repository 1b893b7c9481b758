import { uncover } from '../cover'
import { hintOf, type PayHint, type Payments } from './port'

interface Bridge {
  invoke(name: string, params: Record<string, string>, done: (r: { err_msg?: string }) => void): void
}
type WithBridge = Window & { WeixinJSBridge?: Bridge }

/** ms: WeChat puts its bridge into the page shortly after the page starts; later than this it does not come */
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

/** An address a cashier may have: never a script of its own in our page. */
const isWeb = (address: string) => /^https?:$/.test(new URL(address, location.href).protocol)

/** Builds the provider's form anew from its fields, so that no markup of theirs runs in this page, and sends it. */
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
  form.submit()
  form.remove()
  return 'left'
}

export const payments: Payments = {
  env: () => (inWechat() ? 'WECHAT' : 'BROWSER'),
  async start({ payParams, jumpUrl, form }) {
    if (payParams) return jsapi(payParams)
    // a sheet still on its way off the history would take the browser back from there
    await uncover()
    if (form) return submit(form)
    if (!jumpUrl || !isWeb(jumpUrl)) return 'failed'
    location.assign(jumpUrl)
    return 'left'
  },
  returnUrl: (path) => location.origin + path,
}
