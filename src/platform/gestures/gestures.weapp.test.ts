import { hooks } from '@tarojs/shared'
import { installGestures } from '.'

installGestures()

/** The element after the hook: nothing when the tap is suppressed. */
function tap(id: string, timeStamp: number, current = id, type = 'tap') {
  const event = { type, timeStamp, target: { id }, currentTarget: { id: current, dataset: {} } }
  hooks.call('modifyMpEvent', event as never)
  return event.currentTarget.id
}

it('suppresses a second tap on the same thing within 300 ms, for every listening ancestor', () => {
  expect([tap('a', 1000), tap('a', 1000, 'parent')]).toEqual(['a', 'parent'])
  expect([tap('a', 1299), tap('a', 1299, 'parent')]).toEqual(['', ''])
  expect(tap('a', 1300)).toBe('a')
})

it('does not slow down two different buttons or other events', () => {
  expect([tap('b', 2000), tap('c', 2010), tap('b', 2020)]).toEqual(['b', 'c', 'b'])
  expect([tap('i', 3000, 'i', 'input'), tap('i', 3001, 'i', 'input')]).toEqual(['i', 'i'])
})
