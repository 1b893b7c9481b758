import { drafts } from '@/session/drafts'
import { mergeIntoDraft } from '@/session/draftTransfers'
import { fakeServer } from '../../../test/fakes/api'
import { config, openForm, setUpFillForm, show } from '../../../test/fakes/fill-form'
import { navigations } from '../../../test/fakes/navigation'
import { box, find, shown, tap, type, until, untilBox, untilShown } from '../../../test/fakes/screen'
import { copy } from './copy'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpFillForm()

/** A sheet that is still closing must not be taken for the one that opens. */
async function openPasteSheet() {
  await until(() => find('识别并填写') === undefined, 'the sheet of before to be gone')
  await tap('粘贴文字')
  await until(() => find('识别并填写') !== undefined, 'the sheet')
}

it('fills empty fields from a pasted listing, says which, and can undo it', async () => {
  const asked: unknown[] = []
  fakeServer({
    evaluation: {
      gameConfig: () => config,
      linkVerify: (req) => {
        asked.push(req)
        return {
          ok: true,
          gameId: 'g',
          platform: '某平台',
          parsed: { skins: 60, gold: 500, rank: 'v2' },
          missing: [],
        }
      },
    },
  })
  await show()
  await untilBox('皮肤数')
  await type('皮肤数', '42')
  await openPasteSheet()
  await type('商品描述或分享文字', '安卓 60 皮肤')
  await tap('识别并填写')
  // 500 is more than a 典藏 can be, and the number of skins was typed
  await untilShown('粘贴内容：已填入段位，请核对')
  expect(asked).toEqual([{ gameId: 'g', text: '安卓 60 皮肤' }])
  expect([box('皮肤数').value, box('典藏').value]).toEqual(['42', ''])
  expect(shown()).toContain('粘贴内容')
  await tap('撤销')
  expect(shown()).not.toContain('粘贴内容')
  expect(box('皮肤数').value).toBe('42')
})

it('sends whether the price of a pasted listing may be used; a reload keeps it, and undoing the paste drops it', async () => {
  const parsed = { skins: 60, server: 'v0' }
  const server = fakeServer({
    evaluation: {
      gameConfig: () => config,
      linkVerify: () => ({ ok: true, gameId: 'g', parsed, missing: [], askFen: 320_000 }),
      submitAi: () => ({ orderId: 'o1', status: 'PROCESSING' as const }),
    },
  })
  const first = await show()
  await untilBox('皮肤数')
  async function paste() {
    await openPasteSheet()
    await type('商品描述或分享文字', '安卓 60 皮肤 一口价 3200')
    await tap('识别并填写')
    await untilShown('挂牌价 ¥3,200')
  }
  await paste()
  await tap('撤销')
  expect(shown()).not.toContain('挂牌价')
  await paste()
  expect(drafts.load('u1', 'g', 'AI')?.listing).toEqual({ askFen: 320_000, agreed: false })
  await tap(copy.askingPriceUse(320_000))
  await first.unload()
  await show()
  await untilShown('挂牌价 ¥3,200')
  await tap('提交估价')
  await until(() => navigations.length > 0, 'the next page')
  const sent = server.seen.find(({ call }) => call === 'evaluation.submitAi')?.req
  expect(sent).toMatchObject({ answers: parsed, listing: { askFen: 320_000, consent: true } })
})

it('sends the price of a pasted listing for the report, without consent to more', async () => {
  const filled = { gameId: 'g', gameName: '试玩', mode: 'AI', answers: { skins: 60, server: 'v0' } } as const
  mergeIntoDraft('u1', { ...filled, from: 'PASTED', askFen: 320_000 })
  const { server } = await openForm()
  expect(shown()).toContain('挂牌价 ¥3,200')
  await tap('提交估价')
  await until(() => navigations.length > 0, 'the next page')
  expect(server.seen.find(({ call }) => call === 'evaluation.submitAi')?.req).toHaveProperty('listing', {
    askFen: 320_000,
  })
})

it('the price of a listing counts for its own account only: not for answers typed before, nor after all are removed', async () => {
  fakeServer({
    evaluation: {
      gameConfig: () => config,
      linkVerify: () => ({ ok: true, gameId: 'g', parsed: { skins: 60 }, missing: [], askFen: 320_000 }),
    },
  })
  await show()
  await untilBox('皮肤数')
  async function paste() {
    await openPasteSheet()
    await type('商品描述或分享文字', '安卓 60 皮肤 一口价 3200')
    await tap('识别并填写')
  }
  await paste()
  await untilShown('挂牌价 ¥3,200')
  await type('皮肤数', '')
  await until(() => !shown().includes('挂牌价'), 'the price to be dropped')
  await type('皮肤数', '12')
  await paste()
  await untilShown('粘贴内容')
  expect(shown()).not.toContain('挂牌价')
})

it('offers the answers of the last report, and shows how many free valuations are left', async () => {
  await openForm({ ...config, freeLeft: 2, last: { answers: { skins: 70, server: 'v1' }, at: 1_763_692_800_000 } })
  expect(shown()).toContain('今日剩 2 次')
  await tap('沿用')
  expect(box('皮肤数').value).toBe('70')
  const marks = () => shown().match(/上次资料/g)?.length ?? 0
  const before = marks()
  await type('皮肤数', '71')
  expect(marks()).toBe(before - 1)
})

it('shows what a collection has filled, and sends its task', async () => {
  const answers = { skins: 66, server: 'v0', unknown: 1 }
  mergeIntoDraft('u1', { gameId: 'g', gameName: '试玩', mode: 'AI', answers, from: 'READ', taskId: 't9' })
  const { server } = await openForm()
  expect(box('皮肤数').value).toBe('66')
  expect(shown()).toContain('授权读取')
  expect(shown()).not.toContain('表单有更新')
  await type('皮肤数', '67')
  await tap('提交估价')
  await until(() => navigations.length > 0, 'the next page')
  expect(server.seen.find(({ call }) => call === 'evaluation.submitAi')?.req).toMatchObject({
    answers: { skins: 67, server: 'v0' },
    taskId: 't9',
    source: 'AUTH',
  })
})
