import { DAY_MS } from '@/contract/time'
import type { Report } from '@/contract/types'

/** Made-up reports for the gallery and for tests: a worked example, locked and unlocked. */
const now = Date.now()

export const unlockedReport: Report = {
  reportNo: 'GZ20250607-8F3K2M',
  orderId: 'o1',
  gameId: 'hok',
  mode: 'AI',
  version: 1,
  status: 'UNLOCKED',
  title: '王者荣耀 · 安卓微信 · V8',
  account: { idMasked: '548***090' },
  price: {
    predictFen: 232_269,
    lowFen: 193_000,
    highFen: 279_000,
    quickFen: 198_000,
    listFen: 256_000,
    coverage: 0.8,
    assumed: [],
    openEnded: false,
  },
  confidence: {
    level: 'HIGH',
    score: 78,
    reasons: ['可比成交 42 个', '资料完整', '行情数据 1 天前', '资料为本人填写，未核对'],
    doubts: ['资料为本人填写，未核对'],
    sold: 42,
  },
  percentile: 0.93,
  liquidity: { level: 'FAST', days: [3, 7] },
  breakdown: [
    { type: 'BASE', label: '账号起步价', amountFen: 18_000, items: [] },
    { type: 'ASSET', label: '荣耀典藏 ×3', amountFen: 96_000, why: '近30天同级成交', items: [] },
    { type: 'ASSET', label: '无双 ×2', amountFen: 42_000, items: [] },
    {
      type: 'ASSET',
      label: '限定传说 ×9',
      amountFen: 58_500,
      items: [
        { name: '凤凰于飞', amountFen: 12_000 },
        { name: '其余 8 款', amountFen: 46_500 },
      ],
    },
    { type: 'ASSET', label: '传说 ×24', amountFen: 38_400, items: [] },
    { type: 'ASSET', label: '史诗及以下 ×260', amountFen: 21_700, items: [] },
    { type: 'PROGRESS', label: '段位与省标', amountFen: 5_000, items: [] },
    { type: 'RESOURCE', label: '碎片与点券', amountFen: 2_400, items: [] },
    { type: 'FACTOR', label: '安卓微信', amountFen: -14_100, why: '区服系数 0.95', items: [] },
    { type: 'FACTOR', label: '不可二次实名', amountFen: -40_185, why: '实名系数 0.85', items: [] },
    { type: 'MARKET', label: '近30天行情', amountFen: 4_554, items: [] },
  ],
  counts: { breakdown: 11, comparables: 3, history: 2, raise: 2 },
  topItems: [
    { name: '荣耀典藏 ×3', amountFen: 96_000 },
    { name: '限定传说 ×9', amountFen: 58_500 },
  ],
  comparables: [
    {
      id: 'c1',
      kind: 'SOLD',
      priceFen: 218_000,
      adjFen: 229_000,
      at: now - 3 * DAY_MS,
      closeness: 'NEAR',
      same: ['贵族等级 V8', '安卓微信'],
      diff: ['少1典藏', '可二次实名'],
    },
    {
      ...{ id: 'c2', kind: 'SOLD', priceFen: 246_000, adjFen: 238_000, at: now - 9 * DAY_MS },
      ...{ closeness: 'CLOSE', same: ['无双 2款'], diff: [] },
    },
    {
      id: 'c3',
      kind: 'ASKING',
      priceFen: 299_900,
      adjFen: 251_000,
      at: now - DAY_MS,
      closeness: 'REFERENCE',
      same: [],
      diff: ['多2限定传说'],
    },
  ],
  gap: { medianFen: 246_000, better: ['可二次实名'], worse: ['荣耀典藏'] },
  history: [
    { at: now - 30 * DAY_MS, predictFen: 228_000, reason: '首次估价' },
    { at: now - 8 * DAY_MS, predictFen: 226_500, reason: '版本更新' },
  ],
  raise: [
    { action: '解除防沉迷', about: '防沉迷', gainFen: 12_000, cost: 'FREE' },
    { action: '改为可二次实名', about: '实名', gainFen: 40_185, cost: 'REVERSIBLE' },
  ],
  risk: { level: 'MEDIUM', facts: ['不可二次实名，买家可能被找回'] },
  listing: [
    '【王者荣耀】安卓微信 荣耀典藏 3款 无双 2款 限定传说 9款',
    '账号情况：不可二次实名、无防沉迷、封禁/处罚：正常',
    '稀有皮肤：孙尚香·末日机甲、貂蝉·金色仲夏夜',
    '另有：皮肤数 298款、贵族等级 V8、段位 至尊星耀 / Ⅱ',
  ],
  model: {
    ...{ name: 'hok-q3', trainedAt: now - DAY_MS, sampleN: 1840, version: '20250606.1840' },
    ...{ synthetic: true, syntheticShare: 1 },
  },
  aiGenerated: false,
  createdAt: now - 60_000,
  validUntil: now - 60_000 + 7 * DAY_MS,
  mine: true,
}

/** Valued before, and by a person as well. */
export const renewedReport: Report = {
  ...unlockedReport,
  changed: {
    reportNo: 'GZ20250530-7H2K9P',
    at: now - 8 * DAY_MS,
    beforeFen: 226_500,
    lines: [
      { type: 'FACTS', label: '荣耀典藏 ×2 → ×3', amountFen: 9_800 },
      { type: 'MARKET', label: '行情变化', amountFen: -3_120 },
      { type: 'MODEL', label: '可比账号更新', amountFen: -911 },
    ],
  },
  other: {
    mode: 'MANUAL',
    orderId: 'o2',
    predictFen: 295_000,
    at: now - DAY_MS,
    reason: '含两款绝版皮肤，近期有买家专门求购',
  },
}

/** A person's report: one price, nothing measured. */
export const manualReport: Report = {
  reportNo: 'GZ20250607-2M8Q4T',
  orderId: 'o2',
  gameId: 'hok',
  mode: 'MANUAL',
  version: 1,
  status: 'UNLOCKED',
  title: '王者荣耀 · 安卓微信',
  account: {},
  price: { predictFen: 295_000, lowFen: 275_000, highFen: 315_000, quickFen: 282_000, listFen: 309_000 },
  breakdown: [],
  counts: { breakdown: 0, comparables: 0, history: 0, raise: 0 },
  history: [],
  other: {
    mode: 'AI',
    orderId: 'o1',
    predictFen: 232_269,
    at: now - DAY_MS,
    reason: '含两款绝版皮肤，近期有买家专门求购',
  },
  percentile: 0.96,
  pictures: 6,
  reconciliation: {
    aiFen: 232_269,
    lines: [
      { label: '荣耀典藏 ×3', amountFen: 54_000 },
      { label: '不可二次实名', amountFen: -5_815 },
    ],
    restFen: 14_546,
    people: 1,
  },
  risk: { level: 'LOW', facts: [] },
  level: 'STD',
  appraiser: {
    name: '估值师 小林',
    no: 'A017',
    years: 4,
    comment: '含两款绝版皮肤，近期有买家专门求购。',
    delivered: 128,
    sales: 9,
    medianGap: 0.062,
    work: {
      lowFen: 275_000,
      quickFen: 282_000,
      listFen: 309_000,
      highFen: 315_000,
      corrections: [
        { label: '荣耀典藏 ×3', amountFen: 96_000, ownFen: 150_000, why: '其中一款已绝版，近两周成交高于均价' },
        { label: '不可二次实名', amountFen: -40_185, ownFen: -46_000, why: '这个区服的买家更在意二次实名' },
      ],
      struck: (unlockedReport.comparables ?? []).slice(2, 3).map(({ id }) => ({ id, reason: 'OLD' as const })),
      checked: ['荣耀典藏', '限定传说'],
    },
  },
  ai: {
    price: unlockedReport.price,
    confidence: { level: 'HIGH', score: 78, reasons: ['可比成交 42 个'], doubts: [], sold: 42 },
    percentile: 0.93,
    breakdown: unlockedReport.breakdown,
    comparables: [...(unlockedReport.comparables ?? [])],
    raise: [...(unlockedReport.raise ?? [])],
    model: {
      ...{ name: 'hok-q3', trainedAt: now - DAY_MS, sampleN: 1840, version: '20250606.1840' },
      ...{ synthetic: true, syntheticShare: 1 },
    },
  },
  aiGenerated: false,
  createdAt: now - 60_000,
  validUntil: now - 60_000 + 7 * DAY_MS,
  mine: true,
}

const secondPrices = { lowFen: 258_000, quickFen: 264_000, listFen: 291_000, highFen: 297_000 }

/** Valued by two: their mean is the price. */
export const expertReport: Report = {
  ...manualReport,
  price: { predictFen: 286_000, lowFen: 266_500, highFen: 306_000, quickFen: 273_000, listFen: 300_000 },
  pictures: 0,
  reconciliation: {
    aiFen: 232_269,
    lines: [
      { label: '荣耀典藏 ×3', amountFen: 27_000 },
      { label: '不可二次实名', amountFen: -2_907 },
    ],
    restFen: 29_638,
    people: 2,
  },
  level: 'PRO',
  ...(manualReport.appraiser && {
    appraiser: { ...manualReport.appraiser, priceFen: 295_000 },
    others: [
      {
        ...manualReport.appraiser,
        ...{ name: '估值师 小南', no: 'A018', priceFen: 277_000 },
        comment: '近两周同类砍价明显，按成交价的下沿定价；先解绑微信再挂，寄售平台先挂参考价。',
        work: { ...secondPrices, corrections: [], struck: [], checked: [] },
      },
    ],
  }),
}

/** A second version, after its owner asked for a revaluation. */
export const revaluedReport: Report = {
  ...manualReport,
  version: 2,
  revised: {
    text: '少算了两款限定皮肤，截图第 3 张能看到。',
    reportNo: 'GZ20261120-K7M2QX',
    beforeFen: 277_000,
  },
}

const { topItems, comparables, history, raise, percentile, liquidity, risk, ...locked } = unlockedReport

/** Thirteen points of four weeks, as the market moved. */
export const trend = [0.84, 0.86, 0.85, 0.9, 0.93, 0.91, 0.96, 1.02, 0.99, 0.95, 0.97, 0.98, 1].map((share, i) => ({
  at: unlockedReport.createdAt - (12 - i) * 28 * DAY_MS,
  fen: Math.round(share * unlockedReport.price.predictFen),
}))

/** A locked report: the locked parts are absent and only counted, but for the trend and one comparable. */
export const lockedReport: Report = {
  ...locked,
  status: 'LOCKED',
  breakdown: locked.breakdown.slice(0, 2),
  comparables: comparables?.slice(0, 1),
  trend,
}

/** `unlocked` as a friend with the link sees it. */
const { inputs: _inputs, listing: _listing, raise: _raise, history: _history, ...seen } = unlockedReport
export const sharedReport: Report = { ...seen, orderId: '', mine: false, trend }
