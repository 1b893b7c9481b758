import { customerService } from '.'

interface Ask {
  extInfo: { url: string }
  corpId: string
  success(): void
  fail(): void
}

it("opens WeChat's own service with the link and its enterprise, and says when it did not open", async () => {
  expect(customerService.available()).toBe(false)
  const asked: Ask[] = []
  let works = true
  Object.assign(wx, {
    openCustomerServiceChat(o: Ask) {
      asked.push(o)
      if (works) o.success()
      else o.fail()
    },
  })
  expect(customerService.available()).toBe(true)
  const open = () => customerService.open('https://work.weixin.qq.com/kfid/kfc1', 'ww1')
  const opened = open()
  // within the tap: WeChat refuses it later
  expect(asked).toMatchObject([{ extInfo: { url: 'https://work.weixin.qq.com/kfid/kfc1' }, corpId: 'ww1' }])
  expect(await opened).toBe(true)
  works = false
  expect(await open()).toBe(false)
})
