import type { PrefilledForm } from '@/contract/types'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { config, setUpFillForm, show, untilSaved } from '../../../test/fakes/fill-form'
import { shown, tap, type, until, untilBox, untilGone, untilShown } from '../../../test/fakes/screen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpFillForm()

describe('the price while the form is filled', () => {
  type Answer = { lowFen: number; highFen: number; answered: number; asked: number }
  const range = (lowFen: number, highFen: number, answered: number): Answer => ({
    lowFen,
    highFen,
    answered,
    asked: 13,
  })

  async function openLive(
    preview: (req: { answers: object }) => Promise<Answer> | Answer,
    form: PrefilledForm = config,
  ) {
    const server = fakeServer({ evaluation: { gameConfig: () => form }, pricePreview: { preview } })
    await show()
    await untilBox('皮肤数')
    return server
  }
  const asked = ({ seen }: { seen: { call: string; req: unknown }[] }) =>
    seen.filter(({ call }) => call === 'pricePreview.preview').map(({ req }) => (req as { answers: object }).answers)

  it('asks with what is valid once typing has paused, and shows the range', async () => {
    const server = await openLive(() => range(160_000, 220_000, 1))
    expect(asked(server)).toEqual([])
    await tap('安卓')
    await untilShown('¥1,600–2,200')
    await type('皮肤数', '500', { leave: true })
    await type('皮肤数', '30')
    await until(() => asked(server).length === 2, 'the second question')
    expect(asked(server)).toEqual([{ server: 'v0' }, { server: 'v0', skins: 30 }])
  })

  it('a late answer never replaces a newer one', async () => {
    let late: (answer: Answer) => void = () => undefined
    const server = await openLive(({ answers }) =>
      'skins' in answers
        ? range(180_000, 200_000, 2)
        : new Promise<Answer>((resolve) => {
            late = resolve
          }),
    )
    await tap('安卓')
    await until(() => asked(server).length === 1, 'the first question')
    await type('皮肤数', '30')
    await untilShown('¥1,800–2,000')
    late(range(100_000, 900_000, 1))
    await tap('苹果')
    expect(shown()).not.toContain('¥1,000–9,000')
  })

  it('the range of earlier answers goes when the newer ones are refused', async () => {
    await openLive(({ answers }) => {
      if ('skins' in answers) throw new Refused(503, 'SERVICE_UNAVAILABLE')
      return range(160_000, 220_000, 1)
    })
    await tap('安卓')
    await untilShown('¥1,600–2,200')
    await type('皮肤数', '30')
    await untilGone('¥1,600–2,200')
  })

  it('is not requested with no free valuation left', async () => {
    const server = await openLive(() => range(160_000, 220_000, 1), { ...config, freeLeft: 0 })
    await tap('安卓')
    await type('皮肤数', '30')
    await untilSaved()
    expect(asked(server)).toEqual([])
  })
})
