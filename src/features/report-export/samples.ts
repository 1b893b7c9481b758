import { DAY_MS } from '@/contract/time'
import type { Report } from '@/contract/types'

const now = Date.now()

/** A made-up open report, for the gallery and for tests. */
export const sampleReport: Report = {
  reportNo: 'GZ20250607-8F3K2M',
  orderId: 'o1',
  gameId: 'hok',
  mode: 'AI',
  version: 1,
  status: 'UNLOCKED',
  title: '王者荣耀 · 安卓微信 · V8',
  account: { idMasked: '548***090' },
  price: { predictFen: 232_269, lowFen: 193_000, highFen: 279_000, quickFen: 198_000, listFen: 256_000, coverage: 0.8 },
  breakdown: [],
  counts: { breakdown: 11, topItems: 2, comparables: 3, history: 2, raise: 2 },
  aiGenerated: false,
  createdAt: now,
  validUntil: now + 7 * DAY_MS,
  mine: true,
}
