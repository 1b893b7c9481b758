import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FormConfig } from '@/contract/form/types'
import type { OcrPage } from '../../../providers/ocr/port'
import { readAll, readAnswers } from './answers'

const game = (gameId: string) =>
  JSON.parse(readFileSync(path.join(__dirname, '../../../fixtures/games', `${gameId}.json`), 'utf8')) as FormConfig
const [hok, ys, delta, pubgm] = [game('hok'), game('ys'), game('delta'), game('pubgm')]

type Text = readonly [text: string, x: number, y: number, score?: number]

/** Texts by their centre in px on a screen of 1000 × 2000; 40 px high, 36 px a character. */
const screen = (...texts: Text[]): OcrPage => ({
  ...{ width: 1000, height: 2000, angle: 0 },
  texts: texts.map(([text, x, y, score = 0.99]) => {
    const width = 36 * text.length
    return { text, score, box: [(x - width / 2) / 1000, (y - 20) / 2000, width / 1000, 0.02] as const }
  }),
})
const read = (config: FormConfig, ...pages: OcrPage[]) =>
  readAnswers(
    config,
    pages.map((page, i) => ({ key: `k${i}`, page })),
  )

/** Columns of a grid. */
const X = [150, 400, 650, 900]

test('reads numbers above their labels, with those of other labels between', () => {
  const numbers = ['4', '3', '12', '3,214'].map((text, i): Text => [text, X[i] ?? 0, 300])
  const labels = ['荣耀典藏', '无双', '限定传说', '场次'].map((text, i): Text => [text, X[i] ?? 0, 350])
  expect(read(hok, screen(...numbers, ...labels))).toMatchObject({
    answers: { gloryCount: 4, peerlessCount: 3, limitedLegendCount: 12 },
    ask: [],
  })
})

test('separates numbers side by side that were taken for one text', () => {
  const page = screen(['97 318', 150, 300], ['英雄', 96, 350], ['皮肤', 222, 350])
  expect(read(hok, page).answers).toEqual({ heroCount: 97, skinCount: 318 })
})

test('reads numbers below their labels, evenly apart', () => {
  const rows = ['英雄', '108/126', '皮肤', '318', '信誉分', '100']
  const page = screen(...rows.map((text, i): Text => [text, 200, 200 + 70 * i]))
  expect(read(hok, page).answers).toEqual({ heroCount: 108, skinCount: 318, credit: 100 })
})

test('reads numbers at the end of their row, and labels that say more', () => {
  const page = screen(
    ...([
      ['拥有英雄', 200, 200],
      ['97', 900, 200],
      ['皮肤总数：', 200, 280],
      ['260款', 900, 280],
      ['战力', 200, 360],
      ['9,120', 900, 360],
    ] as const),
  )
  expect(read(hok, page).answers).toEqual({ heroCount: 97, skinCount: 260 })
})

test('a label that is nearly that of a field is not', () => {
  expect(read(game('hsr'), screen(['星轨通票', 200, 200], ['33', 500, 200])).answers).toEqual({})
})

test('reads label and number in one text, also several of them', () => {
  expect(read(hok, screen(['英雄108/126 皮肤318', 400, 200])).answers).toEqual({ heroCount: 108, skinCount: 318 })
  expect(read(ys, screen(['UID:123456789', 200, 1900], ['冒险等级58', 200, 300])).answers).toEqual({
    uid: '123456789',
    ar: 58,
  })
})

test('numbers left of their labels, nearer than those of the next one', () => {
  const texts = ['97', '英雄', '318', '皮肤', '100', '信誉分'].map(
    (text, i): Text => [text, 150 + 130 * i - (i % 2) * 40, 200],
  )
  expect(read(hok, screen(...texts))).toMatchObject({
    answers: { heroCount: 97, skinCount: 318, credit: 100 },
    ask: [],
  })
})

test('owned of all with spaces, and a rank beside other values above their labels', () => {
  const values = ['永恒钻石IV', 'V7', '42 / 126', '66'].map((text, i): Text => [text, X[i] ?? 0, 300])
  const labels = ['段位', '贵族等级', '英雄', '信誉分'].map((text, i): Text => [text, X[i] ?? 0, 355])
  expect(read(hok, screen(...values, ...labels))).toMatchObject({
    answers: { rank: ['diamond', 'diamond-4'], noble: 'v7', heroCount: 42, credit: 66 },
    ask: [],
  })
})

test('reads units of ten thousand and of a million', () => {
  const page = screen(['总资产', 200, 200], ['86.5M', 500, 200], ['哈夫币', 200, 280], ['1,203万', 500, 280])
  expect(read(delta, page).answers).toEqual({ assetsM: 86.5, hafCoinW: 1203 })
})

test('reads ranks with stars and steps, and none of another season', () => {
  expect(read(hok, screen(['荣耀王者 52星', 300, 200])).answers.rank).toEqual(['glory', 'glory-50-59'])
  expect(read(hok, screen(['至尊星耀II', 300, 200])).answers.rank).toEqual(['star', 'star-2'])
  expect(read(hok, screen(['最强王者', 300, 200], ['x3', 300, 245])).answers.rank).toEqual(['king', 'king-0-4'])
  expect(read(hok, screen(['历史最高', 200, 200], ['荣耀王者52星', 500, 200])).answers.rank).toBeUndefined()
  expect(read(pubgm, screen(['超级王牌', 300, 200])).answers.peakRank).toBeUndefined()
  expect(read(pubgm, screen(['历史最高段位', 200, 200], ['超级王牌', 500, 200])).answers.peakRank).toBe('ace')
})

test('what is unsure is asked', () => {
  expect(read(hok, screen(['皮肤', 200, 200], ['318', 500, 200, 0.7])).ask).toEqual(['skinCount'])
})

test('reads items in one or two parts, with a wrong character, and not those that are not owned', () => {
  const page = screen(
    ...([
      ['貂蝉', 150, 300],
      ['猫影幻舞', 150, 345],
      ['小乔·天鹅之夢', 500, 300],
      ['李白·凤求凰', 850, 300],
      ['未拥有', 850, 345],
      ['娥·器灵落星盏', 500, 600],
    ] as const),
  )
  expect(read(hok, page).answers.rareSkins).toEqual([
    'diaochan-maoyinghuanwu',
    'xiaoqiao-tianezhimeng',
    'change-qilingluoxingzhan',
  ])
})

test('reads characters with their copies', () => {
  const page = screen(
    ...([
      ['胡桃', 200, 300],
      ['Lv.90', 200, 345],
      ['命之座 2', 200, 390],
      ['钟离', 600, 300],
      ['Lv.90', 600, 345],
      ['命之座 0', 600, 390],
    ] as const),
  )
  expect(read(ys, page)).toMatchObject({
    answers: {
      chars: [
        { v: 'hutao', dup: 2 },
        { v: 'zhongli', dup: 0 },
      ],
    },
    ask: [],
  })
  expect(read(ys, screen(['胡桃', 200, 300], ['Lv.90 5命', 200, 345])).answers.chars).toEqual([{ v: 'hutao', dup: 5 }])
  // without a number of copies nobody knows them
  expect(read(ys, screen(['胡桃', 200, 300])).ask).toEqual(['chars'])
  expect(read(ys, screen(['七', 200, 300], ['6命', 200, 345])).answers.chars).toEqual([{ v: 'qiqi', dup: 6 }])
})

test('lists over several pictures are merged, each item once', () => {
  const first = screen(['貂蝉·猫影幻舞', 300, 200], ['小乔·天鹅之梦', 300, 300])
  const second = screen(['小乔·天鹅之梦', 300, 100], ['李白·凤求凰', 300, 200])
  const { answers, sources } = read(hok, first, second)
  expect(answers.rareSkins).toEqual(['diaochan-maoyinghuanwu', 'xiaoqiao-tianezhimeng', 'libai-fengqiuhuang'])
  expect(sources).toHaveLength(3)
})

test('says that a picture shows another game, no game, or cannot be read', () => {
  const games = [hok, ys, delta, pubgm]
  const rows = ['冒险等级', '58', '原石', '3200', '纠缠之缘', '86']
  const page = screen(...rows.map((text, i): Text => [text, i % 2 === 0 ? 200 : 500, 200 + 80 * Math.floor(i / 2)]))
  const all = (config: FormConfig, ...pages: (OcrPage | undefined)[]) =>
    readAll(
      config,
      games,
      pages.map((page, i) => ({ key: `k${i}`, ...(page && { page }) })),
    )
  expect(all(hok, page)).toEqual({ answers: {}, sources: [], ask: [], note: '像是原神，要切换吗' })
  expect(all(ys, page).note).toBeUndefined()
  expect(all(hok, screen(['今天天气', 200, 200])).note).toBe('没有认出王者荣耀的资料')
  expect(all(hok, undefined).note).toBe('图片不清楚，请换清晰的截图')
})

test('reads a name that a narrow card breaks into three lines, beside an item that is not owned', () => {
  const val = game('val')
  const page = screen(
    ...([
      ['2022全球冠', 250, 940],
      ['军赛', 250, 995],
      ['蝴蝶刀', 250, 1055],
      ['已拥有', 250, 1115],
      ['紫金狂潮2.0', 650, 940],
      ['爪刀', 650, 995],
      ['未拥有', 650, 1055],
      ['盖亚之怒', 250, 1300],
      ['已拥有', 250, 1360],
      ['至尊龙焰', 650, 1300],
      ['匕首', 650, 1360],
      ['已拥有', 650, 1420],
    ] as const),
  )
  expect(read(val, page).answers).toEqual({
    knives: ['2022quanqiuguanjunsai-hudiedao', 'gaiyazhinu', 'zhizunlongyan-bishou'],
  })
})

test('a name whose second line lost a character is not the shorter name of its first line', () => {
  const page = screen(['掠夺印象', 250, 300], ['刀', 196, 345], ['已拥有', 232, 390])
  expect(read(game('val'), page).answers).toEqual({ knives: ['lveduoyinxiang-zhuadao'] })
  // it may have got lost as a whole
  expect(read(game('val'), screen(['掠夺印象', 250, 300], ['已拥有', 232, 390])).ask).toEqual(['series'])
})

test('a rank without its step is asked, and a number of all is no step', () => {
  const page = screen(['流光翡翠', 300, 200], ['4/112', 300, 260])
  const { answers, ask } = read(game('lolm'), page)
  expect(answers.rank === undefined || ask.includes('rank')).toBe(true)
  expect(read(game('lolm'), screen(['流光翡翠 II', 300, 200])).ask).toEqual([])
})
