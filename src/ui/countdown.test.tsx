import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { startSession } from '@/session/store'
import { openPage } from '../../test/fakes/taro'
import { Countdown } from './Countdown/Countdown'

jest.mock('@tarojs/taro', () => require('../../test/fakes/navigation').fakeTaro())

const shown = () => document.querySelector('.ui-figures')?.textContent

it('counts every second, not while its page is hidden, and is right at once when the page is shown again', async () => {
  startSession(fakeStorage())
  const running = new Set<unknown>()
  const [start, stop] = [globalThis.setInterval, globalThis.clearInterval]
  jest.spyOn(globalThis, 'setInterval').mockImplementation(((run: () => void, ms: number) => {
    const timer = start(run, ms)
    running.add(timer)
    return timer
  }) as typeof setInterval)
  jest.spyOn(globalThis, 'clearInterval').mockImplementation((timer) => {
    running.delete(timer)
    stop(timer)
  })
  const began = Date.now()
  const p = await openPage(
    page('news', () => <Countdown until={began + 60_000} />),
    '/pagesA/pages/home/news/index',
  )
  expect(running.size).toBe(1)
  await p.hide()
  expect(running.size).toBe(0)
  jest.spyOn(Date, 'now').mockReturnValue(began + 30_000)
  await p.show()
  expect(shown()).toBe('00:30')
  expect(running.size).toBe(1)
  await p.unload()
  expect(running.size).toBe(0)
})
