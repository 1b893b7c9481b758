import { dialog } from '@/platform/dialog'
import { fakeStorage } from '@/platform/storage/fake'
import { updates } from '@/platform/update'
import { dispatch, startSession } from '@/session/store'
import { fakeServer } from '../../test/fakes/api'
import { handleUpdates } from './update'

const newer = { version: '2.1.0', code: 210, force: false, url: 'https://store.example/', note: '打开更快' }

function start(latest: typeof newer, platform?: 'ios' | 'android') {
  startSession(fakeStorage())
  if (platform) dispatch({ type: 'launched', platform })
  const { seen } = fakeServer({ app: { latestVersion: () => latest } })
  const asked = jest.spyOn(dialog, 'confirm').mockResolvedValue(true)
  const got = jest.spyOn(updates, 'get').mockImplementation(() => undefined)
  let ready = async () => false
  jest.spyOn(updates, 'onReady').mockImplementation((listener) => {
    ready = listener
  })
  handleUpdates()
  return { seen, asked, got, ready: () => ready() }
}
const settled = () => new Promise((resolve) => setTimeout(resolve))

afterEach(() => jest.restoreAllMocks())

it.each([
  [false, '稍后'],
  [true, null],
])('in a native app, forced %s: the operator’s words, and where to get it', async (force, cancelText) => {
  const { asked, got } = start({ ...newer, force }, 'ios')
  while (got.mock.calls.length === 0) await settled()
  expect(asked).toHaveBeenCalledWith({
    title: '发现新版本 2.1.0',
    content: '打开更快',
    confirmText: '去更新',
    cancelText,
  })
  expect(got).toHaveBeenCalledWith('https://store.example/')
})

it('prompts nobody with the newest version, and asks the server only in native apps', async () => {
  const app = start({ ...newer, code: 204 }, 'android')
  while (app.seen.length === 0) await settled()
  await settled()
  expect(app.asked).not.toHaveBeenCalled()
  expect(start(newer).seen).toEqual([])
})

it('a version the host has downloaded is put in place with the note, forced without a way out', async () => {
  const { asked, ready } = start({ ...newer, force: true })
  expect(await ready()).toBe(true)
  expect(asked).toHaveBeenCalledWith(expect.objectContaining({ content: '打开更快', cancelText: null }))
})
