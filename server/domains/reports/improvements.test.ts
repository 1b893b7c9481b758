import type { AppraisalDetails } from '@/contract/types'
import { improvementsBeside } from './improvements'

const lift = { action: '解除防沉迷', about: '防沉迷', gainFen: 22_000, cost: 'FREE' as const }
const unbind = { action: '解绑邮箱', about: '邮箱状态', gainFen: 5_000, cost: 'FREE' as const }
const prices = { lowFen: 80_000, quickFen: 90_000, listFen: 105_000, highFen: 110_000 }
const note = (verdict: 'AGREE' | 'LOWER'): AppraisalDetails['notes'][number] => ({
  ...{ label: '防沉迷 有防沉迷', amountFen: -21_400, verdict, why: '买家压得更多' },
  ...(verdict === 'LOWER' && { ownFen: -25_000 }),
})

const by = (notes: AppraisalDetails['notes'], comment = '', binding?: AppraisalDetails['binding']) => ({
  comment,
  work: { ...prices, notes, comparables: [], advice: [], ...(binding && { binding }) },
})

test('one action has one amount: where an appraiser judged binding, corrected its line or advised on it, theirs or none', () => {
  const all = [lift, unbind]
  expect(improvementsBeside(all, [by([note('AGREE')]), undefined])).toEqual(all)
  expect(improvementsBeside(all, [by([note('LOWER')])])).toEqual([{ ...lift, gainFen: 0 }, unbind])
  expect(improvementsBeside(all, [by([], '先解除防沉迷，约多卖 1,130 元')])).toEqual([
    { ...lift, gainFen: 113_000 },
    unbind,
  ])
  // that the line lowers the price says nothing against the gain of mending it
  expect(improvementsBeside(all, [by([note('AGREE')], '合计 541 元；最压价的是“防沉迷 有防沉迷”')])).toEqual(all)
  const said = { ...note('AGREE'), why: '本人能解除防沉迷，可多卖约 ¥130' }
  expect(improvementsBeside(all, [by([said])])).toEqual([{ ...lift, gainFen: 13_000 }, unbind])
  // two amounts, or one that is no gain of mending it
  for (const text of [
    '解除防沉迷多卖 130 元；办完防沉迷多卖 90 元',
    '防沉迷压价，传说多卖 50 元',
    '解除防沉迷要等两天',
  ])
    expect(improvementsBeside(all, [by([], text)])).toEqual([{ ...lift, gainFen: 0 }, unbind])
  expect(improvementsBeside(all, [undefined, by([], '邮箱今天就换')])).toEqual([lift, { ...unbind, gainFen: 0 }])
  const binding = [
    { item: 'MINOR' as const, costFen: 21_400, basis: '有防沉迷', gainFen: 17_100, evidence: 'ANSWERS' as const },
  ]
  expect(improvementsBeside(all, [by([]), by([], '', binding)])).toEqual([])
})
