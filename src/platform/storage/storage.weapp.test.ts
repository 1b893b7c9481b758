import { storage } from '.'

it('keeps working, for this visit, when the store is full', () => {
  const set = jest.spyOn(wx as unknown as { setStorageSync(): void }, 'setStorageSync').mockImplementation(() => {
    throw new Error('setStorageSync:fail exceed max size')
  })
  expect(storage.set('a', '1')).toBe(false)
  expect(storage.get('a')).toBe('1')
  set.mockRestore()
  expect(storage.set('a', '2')).toBe(true)
  expect(storage.get('a')).toBe('2')
})
