import { payments } from '.'

interface Ask {
  success(r: { errMsg: string }): void
  fail(r: { errMsg: string }): void
}

const host = wx as unknown as Record<string, unknown>

it.each([
  ['requestPayment', { package: 'prepay_id=1', paySign: 's' }],
  ['requestVirtualPayment', { signData: '{}', paySig: 's', signature: 't', mode: 'short_series_goods' }],
])('%s: the three ends of the host', async (name, payParams) => {
  const seen: object[] = []
  const ending = (words: string) => {
    host[name] = (o: Ask) => {
      seen.push(o)
      const r = { errMsg: `${name}:${words}` }
      if (words === 'ok') o.success(r)
      else o.fail(r)
    }
    return payments.start({ payParams })
  }
  expect(await ending('ok')).toBe('done')
  expect(await ending('fail cancel')).toBe('cancelled')
  expect(await ending('fail -15010')).toBe('failed')
  expect(seen[0]).toMatchObject(payParams)
})

it('fails where the host is older than virtual payment', async () => {
  host.requestVirtualPayment = undefined
  expect(await payments.start({ payParams: { signData: '{}' } })).toBe('failed')
})

it('has no way out to a browser, and says that this is an iPhone', async () => {
  expect(await payments.start({ jumpUrl: 'https://cash.example/' })).toBe('failed')
  expect(payments.returnUrl('/a')).toBeUndefined()
  expect(payments.env()).toBe('IOS')
})
