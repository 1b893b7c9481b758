import { closeOverlays, listenForBack, pushOverlay } from './history'

/** History events that Taro's router would receive. */
const heard: unknown[] = []
let arrived: (value?: unknown) => void = () => undefined
/** The browser has gone back or forward, whether or not a listener receives the event. */
const moved = () =>
  new Promise((resolve) => {
    arrived = resolve
  })

beforeAll(() => {
  history.replaceState({ idx: 0 }, '')
  history.pushState({ idx: 1 }, '')
  window.addEventListener('popstate', () => arrived(), true)
  listenForBack()
  window.addEventListener('popstate', (e) => heard.push(e.state))
})
beforeEach(() => {
  heard.length = 0
})

it('going back takes the overlay away and leaves the page; the next time it leaves the page', async () => {
  const back = jest.fn()
  const release = pushOverlay(back)
  history.back()
  await moved()
  expect([back.mock.calls.length, heard, history.state]).toEqual([1, [], { idx: 1 }])
  release()
  history.back()
  await moved()
  expect(heard).toEqual([{ idx: 0 }])
  history.forward()
  await moved()
  heard.length = 0
})

it('an overlay closed on its own leaves no history entry, and going forward does not reopen it', async () => {
  const back = jest.fn()
  pushOverlay(back)()
  await moved()
  expect([back.mock.calls.length, heard, history.state]).toEqual([0, [], { idx: 1 }])
  history.forward()
  await moved()
  await moved()
  expect([heard, history.state]).toEqual([[], { idx: 1 }])
})

it('nested overlays close one by one, and all at once before a navigation', async () => {
  const [first, second] = [jest.fn(), jest.fn()]
  pushOverlay(first)
  pushOverlay(second)
  history.back()
  await moved()
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1])
  pushOverlay(second)
  await closeOverlays()
  expect([first.mock.calls.length, second.mock.calls.length, heard, history.state]).toEqual([1, 2, [], { idx: 1 }])
  // nothing to wait for
  await closeOverlays()
})

it('several pages back at once leave the page with its overlay', async () => {
  const back = jest.fn()
  const release = pushOverlay(back)
  history.go(-2)
  await moved()
  expect(heard).toEqual([{ idx: 0 }])
  release()
  expect(back).not.toHaveBeenCalled()
})
