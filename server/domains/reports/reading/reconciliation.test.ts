import fc from 'fast-check'
import { reconciliationRows } from '@/contract/reconciliation'
import type { AppraisalDetails } from '@/contract/types'
import { reconcile } from './reconciliation'

type Correction = AppraisalDetails['corrections'][number]
const line = (label: string, amountFen: number, ownFen: number): Correction => ({ label, amountFen, ownFen, why: '' })
const by = (...corrections: Correction[]) => ({ details: { corrections } })

it('names the changed lines, the largest first, and what no line explains', () => {
  const corrected = by(line('典藏', 96_000, 90_000), line('皮肤', 40_000, 60_001))
  expect(reconcile(232_269, 250_000, [corrected])).toEqual({
    aiFen: 232_269,
    lines: [
      { label: '皮肤', amountFen: 20_001 },
      { label: '典藏', amountFen: -6_000 },
    ],
    restFen: 250_000 - 232_269 - 14_001,
    people: 1,
  })
})

it('of two each correction counts half, because the price is their mean; opposite ones cancel', () => {
  const [a, b] = [by(line('典藏', 100, 301), line('皮肤', 50, 90)), by(line('皮肤', 50, 10))]
  expect(reconcile(1_000, 1_200, [a, b])).toEqual({
    ...{ aiFen: 1_000, lines: [{ label: '典藏', amountFen: 101 }], restFen: 99, people: 2 },
  })
  // more and less are rounded alike
  expect(reconcile(1_000, 1_200, [by(line('典藏', 301, 100)), by()]).lines).toEqual([
    { label: '典藏', amountFen: -101 },
  ])
})

it('always adds up to the price, to the fen, and shows no row of nothing', () => {
  const fen = fc.integer({ min: -1_000_000, max: 1_000_000 })
  const appraisal = fc
    .uniqueArray(fc.tuple(fc.constantFrom('典藏', '皮肤', '段位', '行情'), fen, fen), {
      selector: ([label]) => label,
    })
    .map((list) => by(...list.map(([label, model, own]) => line(label, model, own))))
  const price = fc.integer({ min: 1, max: 10_000_000 })
  fc.assert(
    fc.property(price, price, fc.array(appraisal, { minLength: 1, maxLength: 2 }), (aiFen, predictFen, authors) => {
      const rows = reconciliationRows({
        reconciliation: reconcile(aiFen, predictFen, authors),
        price: { predictFen, lowFen: 0, highFen: 0, quickFen: 0, listFen: 0 },
      })
      const between = rows.slice(1, -1)
      expect(aiFen + between.reduce((sum, row) => sum + row.fen, 0)).toBe(predictFen)
      expect(between.every((row) => row.signed && row.fen !== 0)).toBe(true)
      expect([rows[0]?.fen, rows.at(-1)?.fen]).toEqual([aiFen, predictFen])
    }),
  )
})
