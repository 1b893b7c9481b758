import { game } from '../../../test/fakes/games'
import { accuracies, figures, manualEntry } from './model'

it('shows only numbers that are known and worth telling', () => {
  expect(figures(undefined)).toEqual([])
  expect(figures({ games: 8 })).toEqual([])
  expect(figures({ users: 99, reports: 1234, games: 8 })).toEqual([
    { label: '累计报告', value: '1,234' },
    { label: '支持游戏', value: '8' },
  ])
})

it('says how far each game is off, and of which sales', () => {
  const measured = { ...game('hok', '王者荣耀'), accuracy: 0.064, synthetic: true }
  expect(accuracies([game('x', '没有样本'), measured])).toEqual({
    title: '近30天半数估价误差（合成数据）',
    list: [{ label: '王者荣耀', value: '±6.4% 内' }],
  })
  // once one game is measured on real sales, generated ones are no longer boasted with
  const real = { ...game('hsr', '崩坏：星穹铁道'), accuracy: 0.1 }
  expect(accuracies([measured, real])).toEqual({
    title: '近30天半数估价误差',
    list: [{ label: '崩坏：星穹铁道', value: '±10.0% 内' }],
  })
  expect(accuracies(undefined).list).toEqual([])
})

it("shows the server's price of the human service, none while paying is off, and says when it is not open", () => {
  const off = { pay: 'OFF', help: false, ad: false, manual: false } as const
  expect(manualEntry(off)).toEqual({ note: '估价师逐项核对', soon: true })
  expect(manualEntry(undefined).note).not.toContain('¥')
  const open = { ...off, pay: 'NORMAL', manual: true, manualFromFen: 2590 } as const
  expect(manualEntry(open)).toEqual({ note: '¥25.90 起', soon: false })
})
