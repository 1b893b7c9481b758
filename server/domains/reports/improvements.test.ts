import type { AppraisalDetails } from '@/contract/types'
import { improvementsBeside } from './improvements'

const lift = { action: '解除防沉迷', about: '防沉迷', gainFen: 22_000, cost: 'FREE' as const }
const unbind = { action: '解绑邮箱', about: '邮箱状态', gainFen: 5_000, cost: 'FREE' as const }
const note = (verdict: 'AGREE' | 'LOWER'): AppraisalDetails['notes'][number] => ({
  ...{ label: '防沉迷 有防沉迷', amountFen: -21_400, verdict, why: '买家压得更多' },
  ...(verdict === 'LOWER' && { ownFen: -25_000 }),
})

test('one action has one amount: the model’s is left out where an appraiser judged binding or corrected its line', () => {
  const all = [lift, unbind]
  expect(improvementsBeside(all, [{ notes: [note('AGREE')] }, undefined])).toEqual(all)
  expect(improvementsBeside(all, [{ notes: [note('LOWER')] }])).toEqual([{ ...lift, gainFen: 0 }, unbind])
  const binding = [{ item: 'MINOR' as const, costFen: 21_400, basis: '有防沉迷', gainFen: 17_100 }]
  expect(improvementsBeside(all, [{ notes: [] }, { notes: [], binding }])).toEqual([])
})
