import { BARGAIN_PREFIX } from '@/contract/appraisal'
import type { AppraisalDetails } from '@/contract/types'
import { readAppraisal } from './appraisal-fields'
import { deliveredFields } from './delivered-fields'
import type { LoadedOrder } from './order'

const breakdown = [
  { label: '荣耀典藏', amountFen: 96_000 },
  { label: '段位', amountFen: 5_000 },
]
const details: AppraisalDetails = {
  ...{ lowFen: 240_000, quickFen: 250_050, listFen: 270_000, highFen: 280_000 },
  notes: [
    { label: '荣耀典藏', amountFen: 96_000, verdict: 'HIGHER', ownFen: 110_000, why: '其中一款已绝版' },
    { label: '段位', amountFen: 5_000, verdict: 'AGREE', why: '成交相符' },
  ],
  comparables: [
    { id: 'c2', verdict: 'KEPT', why: '同段位' },
    { id: 'c1', verdict: 'STRUCK', why: '半年前的成交' },
  ],
  advice: [
    { channel: '寄售平台', how: '先按建议挂牌价挂出，一周后再降', feeBp: 550 },
    { channel: `${BARGAIN_PREFIX}有防沉迷`, how: '报价里已经扣过，不再让价' },
  ],
  plan: [
    { day: 1, fen: 270_000 },
    { day: 4, fen: 260_000 },
    { day: 7, fen: 250_000 },
  ],
  floorFen: 240_000,
}

const loaded = (status: string, appraiser: object, others: object[] = []) =>
  ({
    order: { status, level: 'ADV' },
    valued: { breakdown },
    versions: [{ version: 1, predict_fen: 260_000, appraiser, others }],
  }) as unknown as LoadedOrder

test('the form of a new version holds the whole appraisal of the one before, and delivers it unchanged', () => {
  const one = { no: 'A1', comment: '按近期成交', work: details }
  const fields = deliveredFields(loaded('REVALUING', one), 'A2')
  const subject = { valued: { breakdown } } as unknown as Parameters<ReturnType<typeof readAppraisal>>[0]
  expect(readAppraisal(fields)(subject)).toEqual(details)
  expect(fields).toMatchObject({ price: '2600', comment: '按近期成交' })
  expect(Object.keys(fields).filter((name) => name.startsWith('check'))).toEqual([])
  expect(deliveredFields(loaded('ASSIGNED', one), 'A1')).toEqual({})
})

test('of two appraisers each begins with their own appraisal, widened to hold the price of both', () => {
  const theirs = {
    no: 'A2',
    comment: '偏低',
    work: { ...details, lowFen: 210_000, quickFen: 220_000, listFen: 250_000 },
  }
  const fields = deliveredFields(loaded('REVALUING', { no: 'A1', comment: '偏高', work: details }, [theirs]), 'A2')
  expect(fields).toMatchObject({
    comment: '偏低',
    low: '2100',
    quick: '2200',
    price: '2600',
    list: '2600',
    high: '2800',
  })
})
