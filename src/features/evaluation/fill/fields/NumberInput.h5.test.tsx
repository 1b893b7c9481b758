import fc from 'fast-check'
import { useState } from 'react'
import { box, leaveBox, type, untilBox } from '../../../../../test/fakes/screen'
import { openPage } from '../../../../../test/fakes/taro'
import { NumberInput } from './NumberInput'
import { readNumber } from './numberText'

const given: (number | string | undefined)[] = []

async function show(rules: { min?: number; max?: number; scale?: number; unit?: string }, start?: number | string) {
  given.length = 0
  await openPage(() => {
    const [value, setValue] = useState(start)
    const onChange = (next: number | string | undefined) => {
      given.push(next)
      setValue(next)
    }
    return <NumberInput label='总资产' value={value} onChange={onChange} {...rules} />
  }, '/ui')
  await untilBox('总资产')
}

it('keeps what a number is typed through: point, trailing zero, emptied again', async () => {
  await show({ scale: 2, unit: 'M' })
  for (const text of ['1', '1.', '1.0', '1.05', '']) {
    await type('总资产', text)
    expect(box('总资产').value).toBe(text)
  }
  // `1.` and `1.0` equal the known 1, so there is no call
  expect(given).toEqual([1, 1.05, undefined])
  expect(box('总资产').getAttribute('aria-label')).toBe('总资产（M）')
})

it.each([
  ['¥１，234.567', 1234.567],
  ['１２０', 120],
  ['1.5', 1.5],
  ['1.5万', 15_000],
  ['1.1w', 11_000],
  ['3K', 3000],
  ['2 千', 2000],
  ['-5', -5],
  ['−5', -5],
  ['120 款', 120],
  ['007', 7],
  ['12万3', 123_000],
  ['３亿5', 350_000_000],
  ['3k5', 3500],
  ['1\u2009200', 1200],
  ['1\u202f200\u00a0300', 1_200_300],
])('understands %s, gives the number as it was meant and shows it on leaving', async (typed, meant) => {
  await show({ unit: '款' })
  await type('总资产', typed)
  expect(box('总资产').value).toBe(typed)
  expect(given).toEqual([meant])
  await leaveBox('总资产')
  expect(box('总资产').value).toBe(String(meant))
  expect(given).toEqual([meant])
})

it.each([
  '1e5',
  'abc',
  '1,5',
  '1.2.3',
  '约120',
  '1.2万3',
  '12万34',
  '万3',
  '12 00',
  '260k416',
  '.',
  '1234567890123456',
])('what is not a number stays as it was typed, for the form to refuse: %s', async (typed) => {
  await show({})
  await type('总资产', typed, { leave: true })
  expect(box('总资产').value).toBe(typed)
  expect(given).toEqual([typed])
})

it.each(['万', '１', '.', '-', ',', 'w', 'a'])('lets every key through, one at a time: %s', async (data) => {
  await show({})
  const key = new InputEvent('beforeinput', { data, bubbles: true, cancelable: true })
  box('总资产').dispatchEvent(key)
  expect(key.defaultPrevented).toBe(false)
})

it('counts in the unit of the field', async () => {
  await show({ unit: '万' })
  await type('总资产', '1.5万')
  await type('总资产', '2亿')
  await type('总资产', '30')
  expect(given).toEqual([1.5, 20_000, 30])
  await show({ unit: 'M' })
  await type('总资产', '50w')
  await type('总资产', '1.5m')
  expect(given).toEqual([0.5, 1.5])
})

it('property: every number people write is read back as itself, in digits of either width', () => {
  const wide = (text: string) => text.replace(/[0-9.]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999_999 }), fc.constantFrom('', '万', 'w', 'k'), (n, word) => {
      const times = { '': 1, 万: 1e4, w: 1e4, k: 1e3 }[word] ?? 1
      expect(readNumber(`${n}${word}`)).toBe(n * times)
      expect(readNumber(wide(`${n}`) + word)).toBe(n * times)
      expect(readNumber(`\u202d${n}\u200b${word}\u202c`)).toBe(n * times)
    }),
  )
})

it('opens the digit keyboard without the browser’s number box', async () => {
  await show({})
  expect(box('总资产').type).toBe('text')
  expect(box('总资产').getAttribute('inputmode')).toBe('numeric')
  await show({ scale: 1 })
  expect(box('总资产').getAttribute('inputmode')).toBe('decimal')
})

it('leaves a typed number beyond the limits alone: the form says what is wrong', async () => {
  await show({ min: 1, max: 60 })
  await type('总资产', '99')
  expect(given).toEqual([99])
})
