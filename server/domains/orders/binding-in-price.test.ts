import type { FormConfig } from '@/contract/form/types'
import type { AppraisalDetails } from '@/contract/types'
import { bindingInPrice } from './binding-in-price'

const config = {
  fields: [
    { key: 'name', type: 'select', label: '实名', binding: 'REAL_NAME', options: [{ v: 'no', t: '不可二次实名' }] },
  ],
} as unknown as FormConfig
const label = '实名 不可二次实名'
const account = {
  config,
  answers: { name: 'no' },
  lines: [{ label, amountFen: -6_000 }],
}
const risks: NonNullable<AppraisalDetails['binding']> = [
  {
    item: 'REAL_NAME',
    costFen: 18_000,
    gainFen: 12_000,
    basis: '不能二次实名',
    removal: '先申请变更',
    evidence: 'ANSWERS',
  },
  { item: 'RECOVERY', costFen: 4_000, gainFen: 4_000, basis: '没有凭证', removal: '导出记录', evidence: 'NONE' },
]
const judge = { notes: [], binding: risks }
const other = { notes: [] }
const inPrice = (...authors: Parameters<typeof bindingInPrice>[1]) =>
  bindingInPrice(risks, authors, account).map(({ deductedFen, gainFen }) => [deductedFen, gainFen])

test('the price of whoever judged binding has deducted all of it', () => {
  expect(inPrice(judge)).toEqual([
    [18_000, 12_000],
    [4_000, 4_000],
  ])
})

test('the price of another appraiser has deducted what the own lines take off, and no more than the cost', () => {
  expect(inPrice(other)).toEqual([
    [6_000, 0],
    [0, 0],
  ])
  const corrected = (ownFen: number) => ({ notes: [{ label, ownFen, verdict: 'LOWER' as const, why: '更在意' }] })
  expect(inPrice(corrected(-10_000))[0]).toEqual([10_000, 4_000])
  expect(inPrice(corrected(-50_000))[0]).toEqual([18_000, 12_000])
})

test('the price of two has deducted the mean of what they deducted', () => {
  expect(inPrice(other, judge)).toEqual([
    [12_000, 6_000],
    [2_000, 2_000],
  ])
})

test('what no line contains is the cost beyond the lines of whoever judged it', () => {
  const beyond = (...authors: Parameters<typeof bindingInPrice>[1]) =>
    bindingInPrice(risks, authors, account).map(({ beyondLinesFen }) => beyondLinesFen)
  expect(beyond(judge)).toEqual([12_000, 4_000])
  expect(beyond(other, judge)).toEqual([6_000, 2_000])
  expect(beyond(other)).toEqual([0, 0])
})
