import { estimate, percent, signedShortYuan } from '@/contract/format'
import { type BindingItem, bindingEvidenceText, bindingItemText } from '@/contract/labels'
import { type RevaluationReason, revaluationReasonText } from '@/contract/orderStatus'

const fee = (bp: number) => (bp > 0 ? `手续费 ${bp / 100}%` : '没有手续费')

/** The floor is a price that the buyer pays, so that a net amount below it is no contradiction. */
const floorText = (netFen: number, floorFen = 0) => (netFen < floorFen ? '；底价看卖价，不看到手' : '')

const lessText = (fen: number | undefined) => (fen ? `，比到手最多的少 ${estimate(fen)}` : '')

const counted = (people: number) => (people > 2 ? '三位' : '两位')

export const humanCopy = {
  years: (n: number) => `从业 ${n} 年`,
  delivered: (n: number) => `已估 ${n} 单`,
  gap: (share: number, sales: number) => `与后来成交价的差距中位数 ${percent(share)}（${sales} 笔）`,
  noSales: '暂无成交回访',
  ownPrice: (fen: number, range: readonly [number, number]) =>
    `独立估价 ${estimate(fen)}，区间 ${range.map(estimate).join('–')}`,
  together: (people: number) => `${people} 位估价师，各自独立估价`,
  onePlan: (listFen: number, floorFen: number) =>
    `合成一份出售计划：${estimate(listFen)} 挂起，底价 ${estimate(floorFen)}`,
  twoPeople: '两位估价师分别估价，参考成交价由两者得出',
  threePeople: '两位估价师分歧较大，由第三位复核，取三者居中的价格',
  revalued: (name: string) => `复估由 ${name} 完成，参考成交价以复估为准；以下是上一版的独立估价`,
  before: (name: string) => `${name}（上一版）`,
  revised: '复估结果',
  revisedWhy: (reasons: readonly RevaluationReason[]) => reasons.map((one) => revaluationReasonText[one]).join('、'),
  revisedPrice: (before: number, now: number) => `上一版 ${estimate(before)}，这一版 ${estimate(now)}`,
  revisedAnswer: '这一版改了什么',
  all: '估价师和公开准确率',
  notes: '明细逐条意见',
  notesOf: (name: string) => `${name} 对明细的意见`,
  lineAmounts: (model: number | undefined, own: number | undefined) =>
    [
      ...(model === undefined ? [] : [`模型 ${signedShortYuan(model)}`]),
      ...(own === undefined ? [] : [`估价师算 ${signedShortYuan(own)}`]),
    ].join('，'),
  net: (feeBp: number, netFen: number, fen: number, less: number | undefined, floorFen: number | undefined) =>
    `${fee(feeBp)}，按 ${estimate(fen)} 卖出到手 ${estimate(netFen)}${lessText(less)}${floorText(netFen, floorFen)}`,
  netQuick: (feeBp: number, netFen: number, fen: number, less: number | undefined, floorFen: number | undefined) =>
    `${fee(feeBp)}，按快速出手价 ${estimate(fen)} 收，到手 ${estimate(netFen)}${lessText(less)}${floorText(netFen, floorFen)}`,
  comparables: '估价师看过的可比账号',
  comparablesOf: (name: string) => `${name} 取舍的可比账号`,
  adjusted: (fen: number) => `折算 ${estimate(fen)}`,
  advice: '怎么卖、在哪卖',
  adviceOf: (name: string) => `${name} 的出售建议`,
  adviceMain: (fen: number) => `按参考成交价 ${estimate(fen)} 写，以这份的降价计划和底价为准`,
  combinedAdvice: (people: number) => `${counted(people)}合成的出售计划`,
  asItIs: '照现在卖',
  mended: (fen: number) => `先改好再卖：约 ${estimate(fen)}`,
  mendFirst: (items: readonly BindingItem[]) =>
    `先做：${items.map((one) => bindingItemText[one]).join('、')}（做法见下面的绑定与找回风险）`,
  floorLine: (fen: number) => `底价 ${humanCopy.floorNote(fen)}`,
  opinionsOf: (name: string) => `${name} 的逐条意见`,
  opinionsCount: (lines: number, accounts: number) => `${lines} 项明细，${accounts} 个可比账号的取舍`,
  opinionsOpen: (name: string) => `展开 ${name} 的意见`,
  opinionsClose: (name: string) => `收起 ${name} 的意见`,
  reasonAbove: (people: number) => `理由写在上面的“${counted(people)}哪里不同”里`,
  combinedNote: '只有这一份；下面的做法按参考成交价写',
  bargainsOpen: (n: number) => `展开买家压价怎么回（${n} 种）`,
  bargainsClose: '收起买家压价怎么回',
  differencesOpen: (n: number) => `展开其余 ${n} 处不同`,
  differencesClose: '只看主要的不同',
  unverified: (names: readonly string[]) => `以下 ${names.length} 项待核实：${names.join('、')}`,
  unverifiedOpen: '展开待核实的说明',
  unverifiedClose: '收起待核实的说明',
  wayOf: (name: string) => `${name} 的做法`,
  wayOpen: (name: string) => `展开 ${name} 的做法`,
  wayClose: (name: string) => `收起 ${name} 的做法`,
  plan: '降价计划',
  planStep: (first: boolean, day: number, fen: number) =>
    `第 ${day} 天${first ? '挂' : '还没成交，降到'} ${estimate(fen)}`,
  floor: '底价',
  floorNote: (fen: number) => `${estimate(fen)}，低于它先不卖。指卖价，手续费之前`,
  firstLimit: '做法里写的“最低”比底价高时，先守那个价；实在卖不掉，才让到底价',
  differences: (people: number) => `${counted(people)}哪里不同，为什么`,
  noDifferences: '逐条意见和可比账号的取舍没有分歧，差在价格的判断。',
  binding: '绑定与找回风险',
  bindingBy: (name: string) => `由 ${name} 专查`,
  bindingDeducted: (fen: number) => `参考成交价里已经扣了 ${estimate(fen)}，不要再减。`,
  bindingOpen: (fen: number) => `还没有扣的风险 ${estimate(fen)}`,
  bindingOpenNote: (people: number) =>
    `${counted(people)}看法不同，这部分没有从参考成交价里扣。买家提出并且属实时，最多再让这么多。`,
  bindingCost: (fen: number, unverified: boolean) =>
    fen > 0 ? `影响 −${estimate(fen)}` : unverified ? bindingEvidenceText.NONE : '不影响',
  bindingSeen: `依据：${bindingEvidenceText.SEEN}`,
  bindingRemoval: (how: string, fen = 0) => (fen > 0 ? `先解除：${how}，可多卖约 ${estimate(fen)}` : `处理：${how}`),
  bindingTotal: (cost: number, gain: number, unverified: number) => {
    const unverifiedText = unverified > 0 ? `；${unverified} 项待核实` : ''
    if (cost === 0) return unverified > 0 ? `已知的不影响价格${unverifiedText}` : '各项都不影响价格'
    return `合计影响 −${estimate(cost)}${gain > 0 ? `；照上面做完再卖，约多卖 ${estimate(gain)}` : ''}${unverifiedText}`
  },
  ai: '完整 AI 报告',
  aiNote: '已包含在人工估价里，不用再解锁',
  aiOpen: '展开完整 AI 报告',
  aiClose: '收起 AI 报告',
  aiRange: (range: string) => `区间 ${range}`,
  ask: '问估价师',
  askNote: '报告出具 7 天内可以提问，问题会带上这个订单',
} as const
