import fc from 'fast-check'
import { reconciliationRows } from '@/contract/reconciliation'
import type { AppraisalDetails } from '@/contract/types'
import { reconcile } from './reconciliation'

type Note = AppraisalDetails['notes'][number]
const note = (label: string, amountFen: number | undefined, ownFen?: number): Note => ({
  label,
  why: '',
  verdict: ownFen === undefined ? 'AGREE' : 'HIGHER',
  ...(amountFen !== undefined && { amountFen }),
  ...(ownFen !== undefined && { ownFen }),
})
const by = (...notes: Note[]) => ({ details: { notes } })

it('names the corrected lines, the largest first, and what no line explains', () => {
  const one = by(
    note('典藏', 96_000, 90_000),
    note('皮肤', 40_000, 60_001),
    note('行情', 4_554),
    note('漏算的限定', undefined, 500),
  )
  expect(reconcile(232_269, 250_000, [one])).toEqual({
    aiFen: 232_269,
    lines: [
      { label: '皮肤', amountFen: 20_001 },
      { label: '典藏', amountFen: -6_000 },
      { label: '漏算的限定', amountFen: 500 },
    ],
    restFen: 250_000 - 232_269 - 14_501,
    people: 1,
  })
})

it('of two each correction counts half, because the price is their mean; opposite ones cancel', () => {
  const [a, b] = [by(note('典藏', 100, 301), note('皮肤', 50, 90)), by(note('典藏', 100), note('皮肤', 50, 10))]
  expect(reconcile(1_000, 1_200, [a, b])).toEqual({
    ...{ aiFen: 1_000, lines: [{ label: '典藏', amountFen: 101 }], restFen: 99, people: 2 },
  })
})

it('names what binding costs beyond the lines, as far as the price is lower than they say', () => {
  const [a, b] = [by(note('邮箱', -20_491, -28_499)), by()]
  const binding = [{ beyondLinesFen: 0 }, { beyondLinesFen: 2_000 }]
  const reconciliation = reconcile(114_627, 103_500, [a, b], binding)
  expect(reconciliation).toMatchObject({ bindingFen: -2_000, restFen: 103_500 - 114_627 + 4_004 + 2_000 })
  const price = { predictFen: 103_500, lowFen: 0, highFen: 0, quickFen: 0, listFen: 0 }
  expect(reconciliationRows({ reconciliation, price }).map(({ label }) => label)).toEqual([
    ...['AI 估价', '邮箱', '绑定与找回，不在上面各项里', '其余，没有落到单项', '参考成交价'],
  ])
  expect(reconcile(1_000, 600, [b], [{ beyondLinesFen: 500 }])).toMatchObject({ bindingFen: -400, restFen: 0 })
  expect(reconcile(1_000, 1_200, [b], binding)).toEqual({ aiFen: 1_000, lines: [], restFen: 200, people: 1 })
})

it('always adds up to the price, to the fen, and shows no row of nothing', () => {
  const fen = fc.integer({ min: -1_000_000, max: 1_000_000 })
  const appraisal = fc
    .uniqueArray(fc.tuple(fc.constantFrom('典藏', '皮肤', '段位', '行情'), fen, fc.option(fen, { nil: undefined })), {
      selector: ([label]) => label,
    })
    .map((list) => by(...list.map(([label, model, own]) => note(label, model, own))))
  const price = fc.integer({ min: 1, max: 10_000_000 })
  fc.assert(
    fc.property(
      price,
      price,
      fc.array(appraisal, { minLength: 1, maxLength: 2 }),
      price,
      (aiFen, predictFen, authors, cost) => {
        const reconciliation = reconcile(aiFen, predictFen, authors, [{ beyondLinesFen: cost }])
        const rows = reconciliationRows({
          reconciliation,
          price: { predictFen, lowFen: 0, highFen: 0, quickFen: 0, listFen: 0 },
        })
        const between = rows.slice(1, -1)
        expect(aiFen + between.reduce((sum, row) => sum + row.fen, 0)).toBe(predictFen)
        expect(between.every((row) => row.signed && row.fen !== 0)).toBe(true)
        expect([rows[0]?.fen, rows.at(-1)?.fen]).toEqual([aiFen, predictFen])
      },
    ),
  )
})
