import { game } from '../../../test/arbitrary'
import { REPORT_FORMAT } from '../store'
import { type ReportRow, reportView } from './view'

const config = game('naraka')
const deps = {
  repositories: { games: { find: async () => ({ config }) }, publicStatistics: { market: async () => undefined } },
  clock: { now: () => 0 },
} as unknown as Parameters<typeof reportView>[0]
/** The owner's view of a stored manual report. */
const viewOf = (facts: string[]) =>
  reportView(deps, {
    ...{ mode: 'MANUAL', game_id: config.gameId, inputs: { answers: {} } },
    body: {
      format: REPORT_FORMAT,
      price: { predictFen: 10_000, lowFen: 9_000, highFen: 11_000 },
      ...{ appraiser: { name: '甲', comment: '换绑失败就卖不成' }, others: [], risk: { level: 'LOW', facts } },
    },
  } as unknown as ReportRow)

test('a manual report shows risks of the answers, and never says that there are none', async () => {
  expect((await viewOf([])).risk).toBeUndefined()
  expect((await viewOf(['防沉迷：有防沉迷'])).risk?.facts).toEqual(['防沉迷：有防沉迷'])
})
