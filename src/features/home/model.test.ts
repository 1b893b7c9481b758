import { figures, manualEntry } from './model'

it('shows only numbers that are known and worth telling', () => {
  expect(figures(undefined)).toEqual([])
  expect(figures({ games: 8 })).toEqual([])
  expect(figures({ games: 8, accuracyMedian: 0.064, synthetic: true })[1]?.label).toBe('中位误差（合成数据）')
  expect(figures({ users: 99, reports: 1234, accuracyMedian: 0.064 })).toEqual([
    { label: '累计报告', value: '1,234' },
    { label: '中位误差', value: '6.4%', measured: true },
  ])
})

it('hides the price of the human service in app shells while paying is off, and says when it is not open', () => {
  const off = { pay: 'OFF', help: false, ad: false, manual: false } as const
  expect(manualEntry(off, 'h5')).toEqual({ note: '¥19.90 起', soon: true })
  for (const shell of ['ios', 'weapp'] as const) expect(manualEntry(off, shell).note).not.toContain('¥')
  expect(manualEntry(undefined, 'weapp').note).not.toContain('¥')
  expect(manualEntry({ ...off, pay: 'NORMAL', manual: true }, 'weapp')).toEqual({ note: '¥19.90 起', soon: false })
})
