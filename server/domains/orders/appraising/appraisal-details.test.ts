import type { AppraisalDetails } from '@/contract/types'
import type { AppError } from '../../../core/app-error'
import { validateAppraisal } from './appraisal-details'

const valued = {
  breakdown: [{ label: '典藏 ×3', amountFen: 30_000 }],
  comparables: [{ id: 'c1' }],
} as unknown as NonNullable<Parameters<typeof validateAppraisal>[0]['valued']>
const details: AppraisalDetails = {
  ...{ lowFen: 90_000, quickFen: 95_000, listFen: 105_000, highFen: 110_000 },
  ...{ corrections: [], struck: [], checked: [] },
}

function issues(change: Partial<AppraisalDetails>, { priceFen = 100_000, comment = '按近期成交' } = {}): string[] {
  try {
    validateAppraisal({ details: { ...details, ...change }, priceFen, comment, valued })
    return []
  } catch (e) {
    return ((e as AppError).data as { fields: { path: string }[] }).fields.map(({ path }) => path)
  }
}

test('prices are ordered, and the range is at most three times as high as low', () => {
  expect(issues({})).toEqual([])
  expect(issues({ lowFen: 95_001 })).toEqual(['range'])
  expect(issues({}, { priceFen: 110_001 })).toEqual(['range'])
  expect(issues({ lowFen: 0 })).toEqual(['range', 'range'])
  expect(issues({ lowFen: 40_000, highFen: 120_000 })).toEqual([])
  expect(issues({ lowFen: 40_000, highFen: 120_001 })).toEqual(['range'])
})

test('a changed line has a reason and is one of the model’s, as a struck comparable is', () => {
  const line = { label: '典藏 ×3', amountFen: 30_000, ownFen: 35_000, why: '近期返场' }
  expect(issues({ corrections: [line], struck: [{ id: 'c1', reason: 'OLD' }] })).toEqual([])
  expect(issues({ corrections: [{ ...line, why: '。' }] })).toEqual(['corrections'])
  expect(issues({ corrections: [{ ...line, label: '典藏 ×4' }] })).toEqual(['corrections'])
  expect(issues({ struck: [{ id: 'c2', reason: 'OLD' }] })).toEqual(['struck'])
})

test('texts have no contact data and ask for no password', () => {
  const why = '加我微信私下说'
  expect(issues({ corrections: [{ label: '典藏 ×3', amountFen: 1, ownFen: 2, why }] })).toEqual(['corrections'])
  expect(issues({}, { comment: '请把登录密码告诉估价师' })).toEqual(['comment'])
  expect(issues({}, { comment: '好'.repeat(501) })).toEqual(['comment'])
})
