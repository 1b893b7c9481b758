import { useState } from 'react'
import { box, find, tap, type, untilBox } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { NumberInput } from './NumberInput'

const given: (number | undefined)[] = []

async function show(rules: { min?: number; max?: number; scale?: number; unit?: string }, start?: number) {
  given.length = 0
  await openPage(() => {
    const [value, setValue] = useState(start)
    const onChange = (next: number | undefined) => {
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
  // `1.` and `1.0` are the 1 that was known already
  expect(given).toEqual([1, 1.05, undefined])
  expect(box('总资产').getAttribute('aria-label')).toBe('总资产（M）')
})

it('takes digits only, as many decimals as the field has, and puts the box right', async () => {
  await show({ scale: 1 })
  await type('总资产', '¥１，234.567')
  expect(box('总资产').value).toBe('1234.5')
  await type('总资产', '1e5')
  expect(box('总资产').value).toBe('1')
  await type('总资产', 'abc')
  expect(box('总资产').value).toBe('')
  expect(given).toEqual([1234.5, 1, undefined])
})

it('opens the digit keyboard without the browser’s number box', async () => {
  await show({})
  expect(box('总资产').type).toBe('text')
  expect(box('总资产').getAttribute('inputmode')).toBe('numeric')
  await show({ scale: 1 })
  expect(box('总资产').getAttribute('inputmode')).toBe('decimal')
})

it('steps small ranges up to their ends; a large one has no stepper', async () => {
  await show({ min: 0, max: 2 }, 1)
  await tap('总资产加一')
  await tap('总资产加一')
  expect(find('总资产加一')?.getAttribute('aria-disabled')).toBe('true')
  await tap('总资产减一')
  expect(given).toEqual([2, 1])
  await show({ min: 0, max: 61 })
  expect(find('总资产加一')).toBeUndefined()
})

it('leaves a typed number beyond the limits alone: the form says what is wrong', async () => {
  await show({ min: 1, max: 60 })
  await type('总资产', '99')
  expect(given).toEqual([99])
})
