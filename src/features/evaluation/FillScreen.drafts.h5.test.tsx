import { DEFAULT_DEBOUNCE } from '@/contract/constants'
import { storage } from '@/platform/storage'
import { dispatch } from '@/session/store'
import { config, logIn, openForm, setUpFillForm, untilSaved } from '../../../test/fakes/fill-form'
import { box, shown, tap, type } from '../../../test/fakes/screen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpFillForm()

it('a draft survives leaving the page, and logging in', async () => {
  const { p } = await openForm()
  await type('皮肤数', '42')
  await tap('苹果')
  await untilSaved()
  await p.unload()
  dispatch({ type: 'loggedOut' })
  logIn()
  await openForm()
  expect(box('皮肤数').value).toBe('42')
  expect(document.querySelector('[role=radio][aria-checked=true]')?.textContent).toBe('苹果')
})

it('is saved at once when the page is hidden, not only after the pause', async () => {
  const { p } = await openForm()
  await type('皮肤数', '7')
  expect(DEFAULT_DEBOUNCE).toBeGreaterThan(0)
  expect(storage.get('draft:u1:g:AI')).toBeUndefined()
  await p.unload()
  expect(storage.get('draft:u1:g:AI')).toContain('"skins":7')
})

it('is saved synchronously when the tab closes', async () => {
  await openForm()
  await type('皮肤数', '7')
  expect(storage.get('draft:u1:g:AI')).toBeUndefined()
  window.dispatchEvent(new Event('pagehide'))
  expect(storage.get('draft:u1:g:AI')).toContain('"skins":7')
})

it('answers given without a login belong to the user who logs in next', async () => {
  const { p } = await openForm()
  await type('皮肤数', '8')
  await p.unload()
  const anonymous = storage.get('draft:u1:g:AI') ?? ''
  localStorage.clear()
  storage.set('draft:anon:g:AI', anonymous)
  storage.set('drafts', '["draft:anon:g:AI"]')
  await openForm()
  expect(box('皮肤数').value).toBe('8')
  expect(storage.get('draft:anon:g:AI')).toBeUndefined()
})

it('another user starts empty', async () => {
  const { p } = await openForm()
  await type('皮肤数', '42')
  await p.unload()
  logIn('u2')
  await openForm()
  expect(box('皮肤数').value).toBe('')
})

it('keeps the answers a newer form still has and names the dropped ones', async () => {
  const { p } = await openForm()
  await type('皮肤数', '42')
  await type('典藏', '5')
  await p.unload()
  const newer = { ...config, schemaVersion: 3, fields: config.fields.filter(({ key }) => key !== 'gold') }
  await openForm(newer)
  expect(box('皮肤数').value).toBe('42')
  expect(shown()).toContain('表单有更新')
  expect(shown()).toContain('已移除：典藏')
})
