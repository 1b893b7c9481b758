import { game } from '../../test/arbitrary'
import { isDealer, type ReportRow, reportView } from './view'

test('channels are compared with the best of those who made the price, not of an earlier version', async () => {
  const config = game('naraka')
  const by = (name: string, feeBp: number) => ({
    ...{ name, priceFen: 100_000, comment: '' },
    work: { notes: [], comparables: [], advice: [{ channel: '寄售平台', how: '', feeBp }] },
  })
  const body = {
    price: { predictFen: 100_000, lowFen: 90_000, highFen: 110_000 },
    ...{ appraiser: by('乙', 600), second: by('丙', 800), earlier: [by('甲', 0)] },
  }
  const row = { mode: 'MANUAL', game_id: config.gameId, inputs: { answers: {} }, body } as unknown as ReportRow
  const deps = {
    ...{ games: { find: async () => ({ config }) }, publicStatistics: { market: async () => undefined } },
    clock: { now: () => 0 },
  } as unknown as Parameters<typeof reportView>[0]
  const { appraiser, second } = await reportView(deps, row)
  expect(appraiser?.work?.advice).toEqual([{ channel: '寄售平台', how: '', feeBp: 600, netFen: 94_000 }])
  expect(second?.work?.advice).toMatchObject([{ netFen: 92_000, lessFen: 2_000 }])
})

test.each([
  ['号商回收', true],
  ['卖给号商', true],
  ['不想等就找号商', true],
  ['免费回收', true],
  ['不如回收', true],
  ['不限号商', true],
  ['不经号商的寄售', false],
  ['不经过号商', false],
  ['不卖给号商', false],
  ['避免回收', false],
  ['避免被回收', false],
  ['不通过号商', false],
  ['不用号商', false],
  ['不需要号商', false],
  ['非回收平台', false],
  ['绕过号商自己挂', false],
  ['寄售平台', false],
])('%s buys at the quick price: %s', (channel, quick) => {
  expect(isDealer(channel)).toBe(quick)
})
