import { payments } from '.'

const agent = (userAgent: string) =>
  Object.defineProperty(window, 'navigator', { value: { userAgent }, configurable: true })

it('knows WeChat from other browsers', () => {
  agent('Mozilla/5.0 (iPhone) MicroMessenger/8.0.68')
  expect(payments.env()).toBe('WECHAT')
  agent('Mozilla/5.0 (iPhone) Safari/605.1.15')
  expect(payments.env()).toBe('BROWSER')
  expect(payments.returnUrl('/a?b=1')).toBe('http://localhost/a?b=1')
})

it.each([
  ['get_brand_wcpay_request:ok', 'done'],
  ['get_brand_wcpay_request:cancel', 'cancelled'],
  ['get_brand_wcpay_request:fail', 'failed'],
])('gives the parameters to WeChat as they are, and %s means %s', async (err_msg, hint) => {
  const given: unknown[] = []
  const invoke = (name: string, params: unknown, done: (r: { err_msg: string }) => void) => {
    given.push([name, params])
    done({ err_msg })
  }
  const payParams = { appId: 'wx1', package: 'prepay_id=1', paySign: 's' }
  const waiting = payments.start({ payParams })
  Object.assign(window, { WeixinJSBridge: { invoke } })
  document.dispatchEvent(new Event('WeixinJSBridgeReady'))
  expect(await waiting).toBe(hint)
  expect(given).toEqual([['getBrandWCPayRequest', payParams]])
  Object.assign(window, { WeixinJSBridge: undefined })
})

it.each([
  ['done', 'done'],
  ['cancelled', 'cancelled'],
  [undefined, 'left'],
])(
  "gives the iOS app what it handed over and what the server says, and %s means %s; never WeChat's cashier",
  async (answer, hint) => {
    const given: unknown[] = []
    const postMessage = async (params: unknown) => {
      given.push(params)
      return answer
    }
    Object.assign(window, { webkit: { messageHandlers: { applePay: { postMessage } } } })
    const order = { payParams: { appAccountToken: 'n1' }, jumpUrl: 'http://localhost/cashier' }
    expect(await payments.start(order, { productId: 'p1' })).toBe(hint)
    expect(given).toEqual([{ productId: 'p1', appAccountToken: 'n1' }])
    Object.assign(window, { webkit: undefined })
    expect(await payments.start({ payParams: order.payParams }, {})).toBe('failed')
  },
)

it('sends the fields of a form and runs nothing that came with it', async () => {
  const sent: string[] = []
  HTMLFormElement.prototype.submit = function () {
    const fields = [...this.elements].map((el) => `${(el as HTMLInputElement).name}=${(el as HTMLInputElement).value}`)
    sent.push(`${this.method} ${this.action} ${fields.join('&')}`)
  }
  const form = `<form action="https://cash.example/gateway?charset=utf-8" method="post"><input name="biz" value='{"a":"1"}'>
    <input type="submit"></form><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`
  expect(await payments.start({ form })).toBe('left')
  expect(sent).toEqual(['post https://cash.example/gateway?charset=utf-8 biz={"a":"1"}'])
  expect(document.querySelector('form, img')).toBeNull()
  expect('hacked' in window).toBe(false)
})

it('opens no address that is none', async () => {
  expect(await payments.start({ jumpUrl: 'javascript:alert(1)' })).toBe('failed')
  expect(await payments.start({ form: '<form action="javascript:alert(1)"></form>' })).toBe('failed')
  expect(await payments.start({ form: 'no form' })).toBe('failed')
  expect(await payments.start({})).toBe('failed')
})
