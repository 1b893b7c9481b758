import { storage } from '.'

afterEach(() => {
  jest.restoreAllMocks()
  localStorage.clear()
})

it('keeps working, for this visit, when the browser refuses to store', () => {
  const refuse = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse)
  expect(storage.set('a', '1')).toBe(false)
  expect(storage.get('a')).toBe('1')
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse)
  jest.spyOn(Storage.prototype, 'removeItem').mockImplementation(refuse)
  expect(storage.get('never')).toBeUndefined()
  storage.remove('a')
  expect(storage.get('a')).toBeUndefined()
  jest.restoreAllMocks()
  expect(storage.set('a', '2')).toBe(true)
})

it('hears other tabs about one of its own keys only', () => {
  const heard = jest.fn()
  storage.onForeignChange('session', heard)
  for (const key of ['gav.session', 'gav.app', 'session', null])
    window.dispatchEvent(new StorageEvent('storage', { key }))
  expect(heard).toHaveBeenCalledTimes(2)
})
