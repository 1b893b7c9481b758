import { game } from '../../../test/arbitrary'
import { listingLines } from './listing'

const answers = {
  ...{ server: 'android_wx', campId: '123456789', heroCount: 112, skinCount: 285, gloryCount: 4, peerlessCount: 0 },
  ...{ limitedLegendCount: 12, noble: 'v9', title: 'none', realName: 're_auth_allowed', antiAddiction: 'no' },
  ...{ credit: 100, banStatus: 'none', rechargeYuan: 6480, remark: '微信 abc' },
}

it('says what buyers ask first: binding and penalties, rare items by name, ranks and counts', () => {
  const hok = game('hok')
  const [skins = []] = [hok.dicts.hok_skin?.slice(0, 2)]
  const lines = listingLines(hok, { ...answers, rareSkins: skins.map(({ v }) => v) })
  expect(lines).toEqual([
    '【王者荣耀】安卓微信 荣耀典藏 4款 限定传说 12款 英雄数 112个',
    '账号情况：可二次实名、无防沉迷、信誉分：100分、封禁/处罚：正常',
    `稀有皮肤：${skins.map(({ t }) => t).join('、')}`,
    '另有：皮肤数 285款、贵族等级 V9',
  ])
})

it('names no fault less plainly than the form, and what the owner does not know as such', () => {
  const [, terms] = listingLines(game('hok'), {
    ...answers,
    realName: 'unknown',
    antiAddiction: 'yes',
    banStatus: 'temp',
  })
  expect(terms).toBe('账号情况：实名情况：不清楚、有防沉迷、信誉分：100分、限时封禁')
})

it('counts the items of a long list instead of naming all', () => {
  const hok = game('hok')
  const all = (hok.dicts.hok_skin ?? []).slice(0, 25).map(({ v }) => v)
  const line = listingLines(hok, { ...answers, rareSkins: all }).find((text) => text.startsWith('稀有皮肤'))
  expect(line).toMatch(/等 25 个$/)
  expect(line?.split('、')).toHaveLength(20)
})
