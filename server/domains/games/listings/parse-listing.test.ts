import fc from 'fast-check'
import type { Answers } from '@/contract/form/types'
import { validateAnswers } from '@/contract/form/validate'
import { accountArb, game, games } from '../../../test/arbitrary'
import { leastProcessorTime } from '../../../test/processor'
import { splitLinks } from './marketplaces'
import { missingKeys, parseListing } from './parse-listing'

describe('the text of listings', () => {
  test.each<[string, string, Answers]>([
    [
      'hok',
      '【王者荣耀】安卓QQ V8 典藏3 无双×2 传说24 皮肤260 英雄108 可二次实名 无防沉迷 荣耀王者52星 国标',
      {
        server: 'android_qq',
        noble: 'v8',
        gloryCount: 3,
        peerlessCount: 2,
        legendCount: 24,
        skinCount: 260,
        heroCount: 108,
        realName: 're_auth_allowed',
        antiAddiction: 'no',
        rank: ['glory', 'glory-50-59'],
        title: 'nation',
      },
    ],
    [
      'hok',
      '安卓微信 贵族8 3典藏2无双 260皮肤 108英雄 星耀二 武则天倪克斯神谕、凤求凰 没有至尊宝、鸣剑曳影 不可二次实名',
      {
        server: 'android_wx',
        noble: 'v8',
        gloryCount: 3,
        peerlessCount: 2,
        skinCount: 260,
        heroCount: 108,
        rank: ['star', 'star-2'],
        rareSkins: ['wuzetian-nikesishenyu', 'libai-fengqiuhuang'],
        realName: 're_auth_denied',
      },
    ],
    [
      'hok',
      '荣耀典藏：3款，无双：两款；限定传说 9 款\n皮肤数量：1,260，V10荣耀贵族 限定皮肤12 营地ID：548123090',
      { gloryCount: 3, peerlessCount: 2, limitedLegendCount: 9, skinCount: 1260, noble: 'v10r', campId: '548123090' },
    ],
    ['hok', '王者50星 皮肤３２１个 英雄108', { rank: ['glory', 'glory-50-59'], skinCount: 321, heroCount: 108 }],
    ['hok', '安Q V8 可二实', { server: 'android_qq', noble: 'v8', realName: 're_auth_allowed' }],
    ['hok', '苹微 不可二实', { server: 'ios_wx', realName: 're_auth_denied' }],
    ['ys', '官服 60级 黄数52 纠缠35', { server: 'official', yellow: 52, fates: 35 }],
    ['hok', '无典藏 末日机甲 龙鳞3 无双修罗', { gloryCount: 0, rareSkins: ['juyoujing-xiuluo'] }],
    [
      'ys',
      '官服 冒险等级60 胡桃2命专武 钟离0+1 6命雷电将军 满命纳西妲精5 原石1.2万 邮箱未绑定 TapTap未绑定 PSN已绑定',
      {
        server: 'official',
        ar: 60,
        chars: [
          { v: 'hutao', dup: 2, sig: true },
          { v: 'zhongli', dup: 0, sig: true, refine: 1 },
          { v: 'leidianjiangjun', dup: 6 },
          { v: 'naxida', dup: 6, sig: true, refine: 5 },
        ],
        primogem: 12_000,
        email: 'unbound',
        tap: 'unbound',
        psn: 'bound',
      },
    ],
    [
      'ys',
      '2命胡桃带护摩之杖精1，0命雷电将军，没有薙草之稻光，若水',
      {
        chars: [
          { v: 'hutao', dup: 2, sig: true, refine: 1 },
          { v: 'leidianjiangjun', dup: 0 },
        ],
      },
    ],
    [
      'ys',
      'C6胡桃 琴键 琴 没有七七',
      {
        chars: [
          { v: 'hutao', dup: 6 },
          { v: 'qin', dup: 0 },
        ],
      },
    ],
    // a total of all weapons belongs to no character, and an item's number does not belong to the next item
    [
      'ys',
      '官服 60级 58黄 芙宁娜2命 专武5把 原石1.2万 女号 tap未绑 邮箱未绑 未封号',
      {
        server: 'official',
        yellow: 58,
        chars: [{ v: 'funingna', dup: 2 }],
        weapon5: 5,
        primogem: 12_000,
        gender: 'f',
        tap: 'unbound',
        email: 'unbound',
        banStatus: 'none',
      },
    ],
    ['ys', '三把专武 TapTap未绑 邮箱已实名 男号', { weapon5: 3, tap: 'unbound', email: 'verified', gender: 'm' }],
    ['hok', '无封禁 V8', { banStatus: 'none', noble: 'v8' }],
    ['hok', '没有被封过 V8', { banStatus: 'none', noble: 'v8' }],
    ['hok', '没有处罚 V8', { banStatus: 'none', noble: 'v8' }],
    ['hok', '封过号 V8', { noble: 'v8' }],
    ['ys', '没绑邮箱 58黄', { email: 'unbound', yellow: 58 }],
    [
      'delta',
      'QQ登录 顶级3x3 总资产60.5M 哈夫币1500万 K416命运 极品S 黑鹰段位 加微信',
      {
        loginType: 'qq',
        safeBox: 'top',
        assetsM: 60.5,
        hafCoinW: 1500,
        weapons: [{ v: 'k416-mingyun', g: '极品S' }],
        rank: 'hawk',
      },
    ],
  ])('%s: %s', (id, text, answers) => {
    expect(parseListing(game(id), text)).toMatchObject(answers)
  })

  test.each([...Array.from('💎●◆■▶✅#『〖※→✔⭐🔥👉★♥❗'), '❤️', '👩🏽‍🚀', '➡️ ', '🔥🔥'])(
    '%s beside a word is no part of it',
    (symbol) => {
      expect(parseListing(game('hok'), `${symbol}皮肤260款`)).toEqual({ skinCount: 260 })
      expect(parseListing(game('hok'), `${symbol}皮肤${symbol}260款${symbol}英雄 ${symbol} 108`)).toEqual({
        skinCount: 260,
        heroCount: 108,
      })
      expect(parseListing(game('hok'), `${symbol}260皮肤${symbol}108英雄${symbol}`)).toEqual({
        skinCount: 260,
        heroCount: 108,
      })
      expect(parseListing(game('hok'), `${symbol}没有${symbol}凤求凰`)).toEqual({})
      expect(parseListing(game('hok'), `${symbol}限定皮肤260`)).toEqual({})
    },
  )

  test('a listing drawn with emoji is read', () => {
    const text = '🔥王者荣耀🔥\n📱安卓QQ\n👑V8\n💎皮肤👉260款\n🦸英雄➕108\n⭐典藏：3\n✨无双✖️2'
    expect(parseListing(game('hok'), text)).toEqual({
      server: 'android_qq',
      noble: 'v8',
      skinCount: 260,
      heroCount: 108,
      gloryCount: 3,
      peerlessCount: 2,
    })
  })

  test.each<[string, string, Answers]>([
    ['hok', '皮肤2️⃣6️⃣0️⃣款', { skinCount: 260 }],
    ['hok', '皮肤②⑥⓪款', { skinCount: 260 }],
    ['hok', '皮肤2\u03326\u03320\u0332款', { skinCount: 260 }],
    ['hok', '皮肤2\u200b60款', { skinCount: 260 }],
    ['hok', '皮\u2060肤\u202d260\u202c款', { skinCount: 260 }],
    ['hok', '皮肤2百6', { skinCount: 260 }],
    ['delta', '总资产3亿5', { assetsM: 350 }],
    ['delta', '总资产3亿5千万', { assetsM: 350 }],
    ['delta', '总资产3亿5000万', { assetsM: 350 }],
    ['delta', '总资产1e', { assetsM: 100 }],
    ['delta', '总资产3亿5哈夫币2亿3', { assetsM: 350, hafCoinW: 23_000 }],
    ['ys', '原石1w2', { primogem: 12_000 }],
    ['ys', '原石1万2', { primogem: 12_000 }],
    ['ys', '原石1万2345', { primogem: 12_345 }],
    ['ys', '原石3k5', { primogem: 3500 }],
    ['ys', '原石1w5k', { primogem: 15_000 }],
    // the beginning of a number is not the number
    ...['2❻0', '❷❻⓿', '二百六十', '二六零', '2十6', '2百六', '2百65十'].map((n): [string, string, Answers] => [
      'hok',
      `皮肤${n}款`,
      {},
    ]),
    ...['1\u2009200', '1\u202f200', '1\u00a0200', '1 200', '1，200', '12 00', '2 6 0', '1·200', "1'200", '1.200']
      .concat('260k416', '260.5.1')
      .map((n): [string, string, Answers] => ['hok', `皮肤${n}款 英雄108`, { heroCount: 108 }]),
    ['hok', '1\u2009200皮肤，英雄108', { heroCount: 108 }],
    ['hok', '皮肤260，108英雄', { skinCount: 260, heroCount: 108 }],
    ['hok', '皮肤260\u00a0108英雄', { skinCount: 260, heroCount: 108 }],
    ['hok', '皮肤260，300金币', { skinCount: 260 }],
    ['delta', '总资产260k416', {}],
    ['delta', '总资产3 亿', { assetsM: 300 }],
    ['ys', '黄数52 万叶', { yellow: 52, chars: [{ v: 'fengyuanwanye', dup: 0 }] }],
    ...['3亿五', '3亿半', '3亿57', '1e8', '1w1w'].map((n): [string, string, Answers] => ['delta', `总资产${n}`, {}]),
  ])('%s: %j is read whole or not at all', (id, text, answers) => {
    expect(parseListing(game(id), text)).toEqual(answers)
  })

  test('who asks whether an account was banned says neither', () => {
    expect(parseListing(game('hok'), 'V8 有没有封号请看截图')).toEqual({ noble: 'v8' })
    expect(parseListing(game('hok'), 'V8 有无处罚私聊')).toEqual({ noble: 'v8' })
  })

  test('doubtful parts are left out', () => {
    const answers = parseListing(game('ys'), '芙宁娜专武1 原石很多')
    expect(answers).toEqual({ chars: [{ v: 'funingna', dup: 0, sig: true }] })
    expect(parseListing(game('hok'), '安卓QQ转苹果微信 英雄联盟 皮肤999999 典藏')).toEqual({})
    expect(missingKeys(game('hok'), { heroCount: 3 })).toEqual(expect.arrayContaining(['server', 'skinCount']))
  })
})

test.each([
  ['【闲鱼】https://m.tb.cn/h.gabc?tk=x1 「王者 V8」点击链接直接打开', '闲鱼', true],
  ['https://www.pzds.com/goodsDetail/123/6', '盼之', true],
  ['看这个www.pxb7.com/product/1吧', '螃蟹账号', true],
  ['https://www.pzds.com@evil.example/x', undefined, true],
  ['https://notpzds.com/x', undefined, true],
  ['盼之 编号 SJ123', '盼之', false],
  ['V8 典藏3', undefined, false],
])('%s is of %s', (text, platform, hasLink) => {
  expect(splitLinks(text)).toMatchObject({ platform, hasLink })
})

describe.each(games.map((config) => [config.gameId, config] as const))('%s', (_id, config) => {
  const vocabulary = config.fields.flatMap(({ label, options = [], dict = '', grades = [] }) => [
    label,
    ...grades,
    ...[...options, ...(config.dicts[dict] ?? [])].map(({ t }) => t),
  ])
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 2000 }),
    fc
      .array(
        fc.oneof(
          fc.constantFrom(...vocabulary, '无', '没有', '、', '\n', '万', '9', '命', '专武'),
          fc.nat().map(String),
        ),
      )
      .map((words) => words.join('').slice(0, 2000)),
    fc
      .constantFrom('无', '1', 'a.', '9,999', '1w', '💎', '💎!', '皮肤👉', '、', 'ﷺ', '满命', 'v', '\u0000')
      .map((sample) => sample.repeat(2000).slice(0, 2000)),
  )

  test('any text at all gives answers the form accepts, in no time', () => {
    return fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const answers = parseListing(config, splitLinks(text).text)
        expect(await leastProcessorTime(500, () => parseListing(config, splitLinks(text).text))).toBeLessThan(500)
        expect(
          validateAnswers(config, answers, 'MANUAL').filter(
            ({ msg, level }) => level === 'error' && !msg.startsWith('请'),
          ),
        ).toEqual([])
      }),
      { numRuns: 15 },
    )
  })

  test('counts written as `label number` come back', () => {
    const counts = config.fields.filter(({ type }) => type === 'int' || type === 'decimal')
    fc.assert(
      fc.property(accountArb(config), (account) => {
        const told = counts.filter(({ key, role }) => account[key] !== undefined && role !== 'none')
        const text = told.map(
          ({ key, label, unit = '' }) => `${label}：${account[key]}${unit === 'M' ? 'M' : unit === '万' ? '万' : ''}`,
        )
        const answers = parseListing(config, text.join('，'))
        for (const { key } of told) expect([key, answers[key]]).toEqual([key, account[key]])
      }),
      { numRuns: 25 },
    )
  })
})
