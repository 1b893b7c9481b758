import { dialog } from '.'

const $ = (selector: string) => document.querySelector<HTMLElement>(selector)
const texts = (selector: string) => [...document.querySelectorAll(selector)].map((el) => el.textContent)

beforeEach(() => {
  jest.useFakeTimers()
  document.body.innerHTML = '<button id="before">x</button>'
})
afterEach(() => jest.useRealTimers())

it('shows a toast for 1500 ms, the newest only', () => {
  dialog.toast('一')
  jest.advanceTimersByTime(1000)
  dialog.toast('二')
  expect(texts('.pf-toast')).toEqual(['二'])
  jest.advanceTimersByTime(1499)
  expect(texts('.pf-toast')).toEqual(['二'])
  jest.advanceTimersByTime(1)
  expect(texts('.pf-toast')).toEqual([])
})

it('runs the action of a toast once', () => {
  const run = jest.fn()
  dialog.toast('出错', { label: '复制编号', run })
  $('.pf-toast')?.click()
  $('.pf-toast')?.click()
  expect(run).toHaveBeenCalledTimes(1)
})

it('asks one question after the other, never as markup, and gives the focus back', async () => {
  $('#before')?.focus()
  const first = dialog.confirm({ title: '提示', content: '<b>登录已过期</b>', cancelText: null })
  const second = dialog.confirm({ title: '第二', content: '…' })
  await jest.advanceTimersByTimeAsync(0)
  expect(texts('.pf-box__title')).toEqual(['提示'])
  expect(texts('.pf-btn')).toEqual(['确定'])
  expect($('.pf-box__text')?.innerHTML).toContain('&lt;b&gt;')
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
  expect(texts('.pf-box__title')).toEqual(['提示'])
  $('.pf-btn--main')?.click()
  expect(await first).toBe(true)
  await jest.advanceTimersByTimeAsync(0)
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
  expect(await second).toBe(false)
  expect($('.pf-box')).toBeNull()
  expect(document.activeElement?.id).toBe('before')
})

it('shows one indicator until the last one waiting is done', () => {
  const [a, b] = [dialog.loading(), dialog.loading('提交中')]
  a()
  a()
  expect(texts('.pf-busy')).toEqual(['提交中'])
  b()
  expect($('.pf-busy')).toBeNull()
})

it('retries on a tap anywhere, offers a way out, and can be taken away', async () => {
  const again = dialog.tapToRetry('网络连接超时，请点击屏幕重试')
  $('.pf-layer')?.click()
  expect(await again.answer).toBe(true)
  const out = dialog.tapToRetry('网络连接超时，请点击屏幕重试')
  document.querySelectorAll<HTMLElement>('.pf-btn')[1]?.click()
  expect(await out.answer).toBe(false)
  const gone = dialog.tapToRetry('网络连接超时，请点击屏幕重试')
  gone.close()
  expect(await gone.answer).toBe(false)
  expect($('.pf-layer')).toBeNull()
})
