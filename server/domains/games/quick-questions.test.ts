import type { Field, FormConfig } from '@/contract/form/types'
import type { Model } from '../../engine/types'
import { shippedConfigs } from '../../fixtures/seed'
import { quickQuestions } from './quick-questions'

const field = (key: string, over: Partial<Field>): Field => ({
  ...{ key, label: key, group: 'g', type: 'int', required: false, rules: {}, role: 'value', sort: 0 },
  ...over,
})
const levels = ['low', 'middle', 'high'].map((v) => ({ v, t: v }))
const [shipped] = shippedConfigs()
const config = {
  ...shipped,
  fields: [
    field('noise', {}),
    field('weak', { type: 'select', options: levels }),
    field('main', { unit: '款' }),
    field('echo', { unit: '个' }),
    field('risk', { role: 'risk' }),
    field('list', { type: 'tags' }),
  ],
} as FormConfig

/** The price follows `main`, to a lesser part `weak`; `echo` says the same as `main`, and `noise` nothing. */
const sales = Array.from({ length: 400 }, (_, i) => {
  const main = i % 5 === 0 ? 0 : (i * 7) % 40
  const weak = (i * 13) % 3
  const attributes = {
    ...{ main, echo: 1000 * main, noise: (i * 31) % 17, risk: main, list: ['x'] },
    ...(i % 9 > 0 && { weak: levels[weak]?.v }),
  }
  return { priceFen: Math.round(10_000 * Math.exp(main / 10 + weak / 2)), attributes }
})
const model = { sales } as unknown as Model

it('asks first for what explains most of the prices, then for what that leaves open, and nothing else', () => {
  const [first, second, ...rest] = quickQuestions(config, model).map(({ key }) => key)
  expect(['main', 'echo']).toContain(first)
  expect(second).toBe('weak')
  expect(rest).toHaveLength(1)
})

it('asks for a number in bands of accounts, each with the answer of its middle one; nothing is a band of its own', () => {
  const asked = quickQuestions({ ...config, fields: config.fields.filter(({ key }) => key === 'main') }, {
    sales,
  } as unknown as Model)
  const [main] = asked
  expect(main?.label).toBe('main（款）')
  expect(main?.options[0]).toEqual({ t: '没有', answer: 0 })
  expect(main?.options.length).toBe(5)
  expect(main?.options.at(-1)?.t).toMatch(/^\d+ 以上$/)
  const answers = main?.options.map(({ answer }) => answer as number) ?? []
  expect(answers).toEqual([...answers].sort((a, b) => a - b))
})

it('asks nothing without sales', () => expect(quickQuestions(config, { sales: [] } as unknown as Model)).toEqual([]))
