/**
 * An appraiser who writes what the service requires and no more. Everything is derived from the order's page: the price from
 * the comparables that the service has this person judge, weighted by similarity, the corrections of lines from that price,
 * the sentences from what lines, answers and differences say. A service that asks for more comparables may thus judge a line
 * otherwise. None of the deliveries makes the desk warn.
 */
import { keysOf } from '@/contract/labels'
import type { DeliveryPage } from './desk-client'

type Comparable = DeliveryPage['comparables'][number]
type Line = DeliveryPage['lines'][number]

const yuan = (value: number) => `${Math.round(value).toLocaleString('en')} 元`
const share = (value: number, of: number) => `${Math.round((100 * Math.abs(value)) / of)}%`
const between = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))

/** Truncates a text after a whole name: the desk rejects names that are cut off. */
const fitting = (text: string, max: number) =>
  text.length <= max ? text : text.slice(0, max).replace(/[、；，][^、；，]*$/, '')

/** At most this far from the model's price; comparables further away are excluded. */
const MOST = 0.12
const FAR = Math.log(1.3)

/** Lines that are no asset of the account. */
const GENERAL = ['账号起步价', '近期行情', '可比账号修正']
const assetsOf = ({ lines }: DeliveryPage) => lines.filter((line) => !GENERAL.includes(line.label) && line.yuan > 0)
const faultsOf = ({ lines }: DeliveryPage) => lines.filter((line) => !GENERAL.includes(line.label) && line.yuan < 0)

interface Opinion {
  isSecond: boolean
  price: number
  /** half-width of the own range, by how far the evidence is spread */
  width: number
  /** the most similar first; of the second person, those the other did not adopt first */
  comparables: (Comparable & { isNear: boolean; isKept: boolean })[]
  /** those from which the price is */
  evidence: Comparable[]
  /** yuan added to a line of this label */
  corrections: Map<string, number>
  /** yuan that binding and recovery cost and no line contains */
  unlisted: number
}

/** Share of the price that the risk of recovery costs, by what the account says about its real name. */
function recoveryShare({ facts }: DeliveryPage): number {
  const name = facts.find(({ label }) => label.includes('实名'))?.value ?? ''
  return name.startsWith('可') ? 0.01 : name.startsWith('不可') ? 0.03 : 0.02
}

/** The parts of a comparable's differences that name a line. */
const aboutLine = ({ diff }: Comparable, label: string) =>
  diff
    .replace(/^相比：/, '')
    .split('；')
    .find((part) => part.includes(label.split(' ')[0] ?? label))

function opinionOn(page: DeliveryPage, isSecond: boolean): Opinion {
  const model = page.modelYuan
  const off = ({ yuan: adjusted }: Comparable) => Math.abs(Math.log(adjusted / model))
  const bySimilarity = [...page.comparables].sort((a, b) => b.similarity - a.similarity)
  const others = bySimilarity.filter((one) => !one.taken)
  // the desk asks the second person for two of their own, also where these are not as near
  const own = isSecond ? [...others].sort((a, b) => off(a) - off(b)).slice(0, 2) : []
  const ordered = [...own, ...others.filter((one) => !own.includes(one)), ...bySimilarity.filter((one) => one.taken)]
  const judged = ordered.slice(0, page.leastComparables)
  const evidence = judged.filter((one) => off(one) <= FAR)
  const weight = evidence.reduce((sum, one) => sum + one.similarity, 0)
  const mean = (of: (one: Comparable) => number) =>
    evidence.reduce((sum, one) => sum + of(one) * one.similarity, 0) / weight
  const target = evidence.length > 0 ? mean((one) => one.yuan) : model
  const spread = evidence.length > 1 ? mean((one) => Math.abs(one.yuan / target - 1)) : MOST
  const unlisted = isSecond ? Math.round(recoveryShare(page) * model) : 0
  const price = Math.max(1, Math.round(between(target, model * (1 - MOST), model * (1 + MOST)) - unlisted))
  const comparables = ordered.map((one) => {
    const isNear = off(one) <= FAR
    return { ...one, isNear, isKept: isNear || (own.includes(one) && one.yuan > price / 2 && one.yuan < 2 * price) }
  })
  // the whole difference is found where the evidence differs, otherwise in what the account is worth most for
  const assets = assetsOf(page)
  const differing = assets.slice(0, 6).filter(({ label }) => evidence.some((one) => aboutLine(one, label)))
  const both = [...new Set([...differing, ...assets])].slice(0, 2)
  const gap = price + unlisted - model
  const total = both.reduce((sum, line) => sum + line.yuan, 0)
  const corrections = new Map(
    Math.abs(gap) < model / 50 || gap < -0.8 * total
      ? []
      : both.map(({ label, yuan: amount }) => [label, (gap * amount) / total]),
  )
  // without corrections the price stays within what the desk lets pass
  const settled =
    corrections.size > 0 ? price : Math.round(between(price + unlisted, model * 0.995, model * 1.005)) - unlisted
  return {
    isSecond,
    price: settled,
    width: between((2.6 * spread) / Math.sqrt(Math.max(1, evidence.length)), 0.06, 0.14),
    comparables,
    evidence,
    corrections,
    unlisted,
  }
}

const named = ({ kind, price, yuan: adjusted }: Comparable) => `${kind} ${yuan(price)}（折算 ${yuan(adjusted)}）`

/** How far an adjusted price is from the own one. */
const against = (adjusted: number, price: number) =>
  Math.abs(adjusted / price - 1) < 0.02
    ? '和我的估价几乎一样'
    : `比我的估价${adjusted < price ? '低' : '高'} ${share(adjusted - price, price)}`

/** The differences of a comparable that name items and no line: 多莫娜等16个. */
const itemsOf = ({ diff }: Comparable, { lines }: DeliveryPage) =>
  diff
    .replace(/^相比：/, '')
    .split('；')
    .filter((part) => /^[多少]/.test(part) && !lines.some(({ label }) => part.includes(label.split(' ')[0] ?? label)))

function whyOf(line: Line, opinion: Opinion, page: DeliveryPage): string {
  const { price, evidence, corrections, isSecond } = opinion
  const whose = isSecond ? '我看过' : '看过'
  const own = corrections.get(line.label)
  const proofs = evidence.filter((one) => aboutLine(one, line.label))
  const [proof] = proofs
  const part = share(line.yuan, price)
  if (own !== undefined) {
    const amounts = evidence.map((one) => one.yuan)
    const range = `${yuan(Math.min(...amounts))}到 ${yuan(Math.max(...amounts))}`
    const where = proof
      ? `${named(proof)}的号${aboutLine(proof, line.label)}，差价就在这一项`
      : `这一项占估价 ${part}，差价主要在它`
    return `${whose}的 ${evidence.length} 个号折算 ${range}，比模型${own > 0 ? '高' : '低'}；${where}，${own > 0 ? '多' : '少'}计 ${yuan(Math.abs(own))}`
  }
  if (line.label === '近期行情')
    return line.yuan < 0
      ? `${whose}的 ${evidence.length} 个号折算时已按行情下调，${yuan(-line.yuan)} 不重复扣`
      : `行情比一年平均好，但只值 ${part}；等一周若转跌，这 ${yuan(line.yuan)} 先没`
  if (proof) {
    const also = proofs.length > 1 ? `另有 ${proofs.length - 1} 个也不同，` : ''
    return `${named(proof)}的号${aboutLine(proof, line.label)}，${also}按模型的单价折算后${against(proof.yuan, price)}，单价站得住`
  }
  // items are named without their line, so that a list of items is never said to be the same
  const items =
    line.label.includes(' ×') && evidence.flatMap((one) => itemsOf(one, page)).find((part) => part !== undefined)
  if (items)
    return `看过的号款式不同（${items}），件数和单价按模型，占估价 ${part}；${line.yuan > 0.3 * price ? '整号的价就看它，截图要逐项露出名称' : '没有只差这一项的成交可以改它'}`
  const others = `${whose}的 ${evidence.length} 个号的主要差别都不在这一项`
  if (line.yuan < 0) return `${others}，无从改“${line.label}”；${yuan(-line.yuan)} 已扣过一次，卖时不再让`
  if (line.yuan > 0.3 * price) return `占估价 ${part}，整号的价就看它；${others}，先信模型，截图要逐项露出名称`
  if (line.yuan > price - Math.min(...evidence.map((one) => one.yuan), price))
    return `“${line.label}”占估价 ${part}，${others}；不算它就低于看过的全部成交`
  return `“${line.label}”只占估价 ${part}，多算少算都不到一次还价的幅度；${others}`
}

const numbered = (rows: readonly Record<string, string>[], name: string) =>
  Object.fromEntries(
    rows.flatMap((row, i) => Object.entries(row).map(([field, value]) => [`${name}-${i}-${field}`, value])),
  )

function notes(page: DeliveryPage, opinion: Opinion) {
  // corrected lines are always among those commented on
  const corrected = page.lines.filter(({ label }) => opinion.corrections.has(label))
  const rows = [...new Set([...corrected, ...page.lines])]
    .slice(0, page.leastNotes)
    .sort((a, b) => page.lines.indexOf(a) - page.lines.indexOf(b))
  return Object.fromEntries(
    rows.flatMap((line) => {
      const own = opinion.corrections.get(line.label)
      const row = {
        label: line.label,
        verdict: own === undefined ? 'AGREE' : own > 0 ? 'HIGHER' : 'LOWER',
        ...(own !== undefined && { own: (line.yuan + own).toFixed(2) }),
        why: fitting(whyOf(line, opinion, page), 200),
      }
      return Object.entries(row).map(([field, value]) => [`note-${page.lines.indexOf(line)}-${field}`, value])
    }),
  )
}

function comparables(page: DeliveryPage, { comparables: all, price }: Opinion) {
  const rows = all.slice(0, page.leastComparables).map((one) => {
    const { id, diff, similarity, yuan: adjusted, isKept } = one
    const same = diff.startsWith('相比') ? diff.replace(/^相比：/, '它') : '主要资料一致'
    const why = !isKept
      ? `${same}；折算 ${yuan(adjusted)}，${against(adjusted, price)}，差得太远，不能作依据`
      : diff.startsWith('相比')
        ? `${same}；这些差价扣掉后 ${yuan(adjusted)}，${against(adjusted, price)}`
        : `${same}，不用折多少：${yuan(adjusted)}，${against(adjusted, price)}，最说明问题（相似 ${similarity}%）`
    return { id, verdict: isKept ? 'KEPT' : 'STRUCK', why: fitting(why, 200) }
  })
  return numbered(rows, 'like')
}

/** The server or login, which decides where an account can be sold. */
const placeOf = ({ facts }: DeliveryPage) =>
  facts.find(({ label }) => /区服|服务器|登录方式|版本/.test(label))?.value ?? ''

/** Where to sell, by server and price: tokens instead of amounts, because the price of two is not known yet. */
function channels(page: DeliveryPage, { price }: Opinion, isSecond: boolean) {
  const place = placeOf(page)
  const [top, next] = assetsOf(page)
  const best = [top, next].flatMap((line) => (line ? `“${line.label}”` : [])).join('')
  const [fault] = faultsOf(page)
  const honest = fault ? `；说明里写明“${fault.label}”，免得验号后再砍` : ''
  const market = /国际服|Steam|渠道服|B服/.test(place) ? `支持${place}的寄售平台` : '寄售平台'
  const fee = price > 2000 ? '5' : '6'
  const listed = {
    channel: market,
    fee,
    how: fitting(`挂 {挂牌价}，标题写${best}${honest}；三天没人问就降，最低 {快速价}。`, 200),
  }
  const quick =
    price > 2000
      ? {
          channel: '回收商报价',
          fee: '0',
          how: '同时问三家回收商，最高的一家高于 {快速价} 就当天成交，验号前不交密码。',
        }
      : {
          channel: `${place}玩家群`,
          fee: '1',
          how: `报 {参考价}，发${top ? `“${top.label}”` : ''}的截图；走群主认可的担保，不收定金，最低 {快速价}。`,
        }
  const second =
    price > 500
      ? {
          channel: '带验号的担保平台',
          fee: '5',
          how: `挂 {挂牌价}，先做平台验号再上架；说明里写清绑定和${place}，有人还价最低 {快速价}。`,
        }
      : {
          channel: '二手平台',
          fee: '1',
          how: `挂 {挂牌价}，写明${place}和能否换绑；当面或平台验号后收款，最低 {快速价}。`,
        }
  const friend = {
    channel: '同服好友和战队',
    fee: '0',
    how: `报 {参考价}，当面换绑、当场付款；熟人也留聊天记录，最低 {快速价}。`,
  }
  return isSecond ? [second, friend] : [listed, quick]
}

/** What buyers of this account will say: about its faults, dearer and cheaper accounts, and the market. */
function bargains(page: DeliveryPage, { comparables: all, price }: Opinion, isSecond: boolean) {
  const [fault] = faultsOf(page)
  const [top] = assetsOf(page)
  const market = page.lines.find((line) => line.label === '近期行情' && line.yuan < 0)
  // an account that sold for less but would cost more with the assets of this one
  const cheaper = all
    .filter((one) => one.isKept && one.price < price && one.yuan > 1.05 * price)
    .sort((a, b) => a.price - b.price)[0]
  const own = [
    fault && {
      says: fitting(fault.label, 20),
      how: `报价里已按这一项扣过估价的 ${share(fault.yuan, price)}，不再扣第二次；对方坚持就请他看同样情况的成交。`,
    },
    cheaper && {
      says: `同类只卖 ${yuan(cheaper.price)}`,
      how: fitting(
        `那个号${cheaper.diff.replace(/^相比：/, '')}；换成这个号的资料要 ${yuan(cheaper.yuan)}，我已经卖得更低`,
        150,
      ),
    },
    market && {
      says: '最近行情在跌',
      how: `报价已按行情下调估价的 ${share(market.yuan, price)}；当天付款可到 {快速价}。`,
    },
    top && {
      says: fitting(`${top.label}我不需要`, 20),
      how: `按整号卖，不拆项；${top.label}占估价 ${share(top.yuan, price)}，换买家也一样要算，最低 {底价}。`,
    },
    { says: '一口价能不能少', how: '当天付款可以让到 {快速价}，先约好担保再谈价。' },
  ].filter((one) => one !== undefined)
  const wary = { says: '怕被找回', how: '走平台包赔，注册和首充截图交给平台核对；不为此让价，要让也不低于 {底价}。' }
  return isSecond ? [wary, ...own.slice(1)] : own
}

function selling(page: DeliveryPage, opinion: Opinion, isSecond: boolean) {
  return {
    ...numbered(channels(page, opinion, isSecond).slice(0, page.leastChannels), 'advice'),
    ...numbered(bargains(page, opinion, isSecond).slice(0, page.leastBargains), 'bargain'),
  }
}

/** How to find out what the answers do not say. */
const UNSAID = {
  REAL_NAME: '资料没说能否二次实名；挂牌前在官方客服查一次，结果截图写进说明',
  MINOR: '资料没说防沉迷；登录一次看有没有时长提示，没有就截图放进商品页',
  PHONE: '资料没说绑定的手机；交号前试一次换绑，收得到验证码才收款',
  LOGIN: '资料没说全第三方绑定；交号前逐个试一次解绑',
}
/** How to release what costs something, and the share of it that is regained. A server stays as it is. */
const RELEASE = {
  REAL_NAME: { removal: '在官方客服申请二次实名，通过后截图；通不过就照现状卖', gain: 0.6 },
  MINOR: { removal: '用成年人身份重新做实名认证，提示消失后截图放进商品页', gain: 0.8 },
  PHONE: { removal: '先解绑或换成没用过的邮箱，把换绑成功页截图放进商品页', gain: 0.7 },
  LOGIN: { removal: '改不了：在说明第一行写明，只找能用这种登录的买家', gain: 0 },
}

/** Binding and recovery from the account's own answers; what a line already counts is named with that line's amount. */
function binding(page: DeliveryPage, unlisted: number): [string, string][] {
  if (!page.binding) return []
  const row = (item: string, values: { cost: number; basis: string; removal?: string; gain?: number }) =>
    Object.entries(values).map(([name, value]): [string, string] => [
      `bind-${item}-${name}`,
      typeof value === 'number' ? value.toFixed(2) : value,
    ])
  const factual = keysOf(RELEASE).flatMap((item) => {
    const said = page.bindingFacts[item] ?? ''
    const line = page.lines.find(({ label, yuan: amount }) => amount < 0 && said.includes(`${label.split(' ')[0]}：`))
    const isKnown = said !== '表单没有问' && !/未填|不清楚/.test(said)
    if (line) {
      const { removal, gain } = RELEASE[item]
      const basis = `“${said}”，明细里已少计 ${yuan(-line.yuan)}，不再另扣`
      return row(item, { cost: -line.yuan, basis, removal, gain: -line.yuan * gain })
    }
    return row(item, { cost: 0, basis: isKnown ? `“${said}”，买家不会为此压价` : UNSAID[item] })
  })
  const rate = recoveryShare(page)
  const why = {
    0.01: '可二次实名，买家接手后能改成自己的',
    0.02: '不清楚能否二次实名',
    0.03: '不可二次实名，原主一直能找回',
  }[rate]
  const recovery = row('RECOVERY', {
    cost: unlisted,
    basis: `${why}，又没有注册和首充凭证，按估价的 ${rate * 100}% 计`,
    removal: '先在官方客服查注册信息，导出首充记录，两张截图随商品页给出',
    gain: Math.floor(unlisted * (rate > 0.02 ? 0.3 : 0.7)),
  })
  return [...factual, ...recovery]
}

/** The desk asks why a price is outside the adopted accounts. */
function outsideOf({ price, comparables: all, unlisted }: Opinion, judged: number): string {
  const adopted = all.slice(0, judged).flatMap((one) => (one.isKept ? [one.yuan] : []))
  if (adopted.length === 0 || (price >= Math.min(...adopted) && price <= Math.max(...adopted))) return ''
  if (price > Math.max(...adopted)) return '高于采用的号，因为明细解释不了全部差价，只采信一部分。'
  return `低于采用的号，因为${unlisted > 0 ? '找回风险另扣' : '明细解释不了全部差价，只采信一部分'}。`
}

/** The comment: what the price rests on, and how it differs from the model's. */
function commentOn(page: DeliveryPage, opinion: Opinion): string {
  const { price, evidence, corrections, unlisted, isSecond } = opinion
  const [top, next] = assetsOf(page)
  const [fault] = faultsOf(page)
  const [nearest] = evidence
  const outside = outsideOf(opinion, page.leastComparables)
  const gap = price - page.modelYuan
  const near = Math.abs(gap) < page.modelYuan / 50
  const compared = near ? '和模型基本一致' : `比模型${gap > 0 ? '高' : '低'} ${share(gap, page.modelYuan)}`
  const changed = [...corrections.keys()].map((label) => `“${label}”`).join('和')
  const value =
    top && next ? `价值最大的是“${top.label}”和“${next.label}”，合计 ${yuan(top.yuan + next.yuan)}` : '价值分散在各项'
  const less = fault ? `；最压价的是“${fault.label}”` : ''
  const proof = nearest
    ? `依据是 ${evidence.length} 个号，第一个${named(nearest)}、相似 ${nearest.similarity}%`
    : '没有足够近的成交'
  return isSecond
    ? `${evidence.some((one) => !one.taken) ? '我另选了可比账号' : '没有别的成交可选'}：${proof}。绑定与找回由我逐项查，其中找回 ${yuan(unlisted)} 已从估价里扣掉。我给 ${yuan(price)}，${compared}${changed && `，更正在${changed}`}。${outside}`
    : `${value}${less}。${proof}。我给 ${yuan(price)}，${compared}${changed && `，更正在${changed}`}。${outside}`
}

/** The whole delivery form. @param isSecond the later one of an expert order */
export function scriptedDelivery(page: DeliveryPage, isSecond: boolean): Record<string, string> {
  const opinion = opinionOn(page, isSecond)
  const { price, width, unlisted } = opinion
  const own = {
    low: price * (1 - width),
    quick: price * (1 - 0.45 * width),
    list: price * (1 + 0.5 * width),
    high: price * (1 + width),
  }
  // where sales are spread, a buyer is waited for less
  const floor = price * (1 - 0.7 * width)
  const fallen = isSecond ? [own.list, price, own.quick] : [own.list, (own.list + price) / 2, price]
  const days = width > 0.1 ? 2 : 3
  return {
    ...notes(page, opinion),
    ...comparables(page, opinion),
    ...selling(page, opinion, isSecond),
    ...Object.fromEntries(binding(page, unlisted)),
    ...numbered(
      fallen.slice(0, page.leastSteps).map((fen, i) => ({ day: String(1 + i * days), price: fen.toFixed(2) })),
      'plan',
    ),
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, value.toFixed(2)])),
    ...Object.fromEntries(Array.from({ length: page.checks }, (_, i) => [`check-${i}`, 'on'])),
    ...{ price: price.toFixed(2), 'plan-floor': floor.toFixed(2), comment: commentOn(page, opinion) },
  }
}
