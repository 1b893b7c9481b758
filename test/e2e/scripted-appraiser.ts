/**
 * An appraiser who writes what the service requires and no more. Everything is derived from the order's page: the price from
 * the comparables this person adopts, the corrections of lines from that price, the words from lines, facts and differences.
 * Verdicts do not depend on the service, so that a dearer one never contradicts a cheaper one.
 */
import { keysOf } from '@/contract/labels'
import type { DeliveryPage } from './desk-client'

type Comparable = DeliveryPage['comparables'][number]

const yuan = (value: number) => `${Math.round(value).toLocaleString('en')} 元`
const share = (value: number, of: number) => `${Math.round((100 * Math.abs(value)) / of)}%`
const between = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Truncates a text after a whole name: the desk rejects names that are cut off. */
const fitting = (text: string, max: number) =>
  text.length <= max ? text : text.slice(0, max).replace(/[、；，][^、；，]*$/, '')

/** At most this far from the model's price; comparables further away are struck. */
const MOST = 0.12
const FAR = Math.log(1.3)

/** Lines that are no asset of the account. */
const GENERAL = ['基础', '近期行情', '可比账号修正']
const assetsOf = ({ lines }: DeliveryPage) => lines.filter(({ label }) => !GENERAL.includes(label))

interface Opinion {
  isSecond: boolean
  price: number
  /** the most similar first; of the second person, those the other did not adopt first */
  comparables: (Comparable & { isNear: boolean; isKept: boolean })[]
  /** yuan added to a line of this label */
  corrections: Map<string, number>
  /** yuan that binding and recovery cost and no line contains */
  unlisted: number
}

/** Share of the price that missing proof of ownership costs. */
const RECOVERY = 0.02

function opinionOn(page: DeliveryPage, isSecond: boolean): Opinion {
  const model = page.modelYuan
  const off = ({ yuan: adjusted }: Comparable) => Math.abs(Math.log(adjusted / model))
  const bySimilarity = [...page.comparables].sort((a, b) => b.similarity - a.similarity)
  const others = bySimilarity.filter((one) => !one.taken)
  // the desk asks the second person for two of their own, also where these are not as near
  const own = isSecond ? [...others].sort((a, b) => off(a) - off(b)).slice(0, 2) : []
  const ordered = [...own, ...others.filter((one) => !own.includes(one)), ...bySimilarity.filter((one) => one.taken)]
  const nearest = ordered.filter((one) => off(one) <= FAR).slice(0, 2)
  const target = nearest.length > 0 ? mean(nearest.map((one) => one.yuan)) : model
  const unlisted = isSecond ? Math.round(RECOVERY * model) : 0
  const price = Math.max(1, Math.round(between(target, model * (1 - MOST), model * (1 + MOST)) - unlisted))
  const comparables = ordered.map((one) => {
    const isNear = off(one) <= FAR
    return { ...one, isNear, isKept: isNear || (own.includes(one) && one.yuan > price / 2 && one.yuan < 2 * price) }
  })
  // the whole difference is found in the two largest lines, in proportion to their amounts
  const [first, second] = assetsOf(page).filter((line) => line.yuan > 0)
  const both = [first, second].filter((line) => line !== undefined)
  const gap = price + unlisted - model
  const total = both.reduce((sum, line) => sum + line.yuan, 0)
  const corrections = new Map(
    Math.abs(gap) < model / 100 ? [] : both.map(({ label, yuan: amount }) => [label, (gap * amount) / total]),
  )
  return { isSecond, price, comparables, corrections, unlisted }
}

/** The part of a comparable's differences that is about a line. */
const aboutLine = ({ diff }: Comparable, label: string) =>
  diff
    .replace(/^相比：/, '')
    .split('；')
    .find((part) => part.includes(label.split(' ')[0] ?? label))

const named = ({ kind, price, yuan: adjusted }: Comparable) => `${kind} ${yuan(price)}（折算 ${yuan(adjusted)}）`

function whyOf(
  line: DeliveryPage['lines'][number],
  { price, comparables, corrections, unlisted, isSecond }: Opinion,
  model: number,
) {
  const kept = comparables.filter(({ isNear }) => isNear).slice(0, 2)
  const own = corrections.get(line.label)
  const which = isSecond ? '我另选的' : '最像的'
  if (own !== undefined) {
    const evidence = kept.map((one) => yuan(one.yuan)).join('、')
    const others = [...corrections.keys()].map((label) => `“${label}”`).join('和')
    const way = own > 0 ? '高' : '低'
    return `${which} ${kept.length} 个号折算 ${evidence}，总价应比模型${way} ${share(price + unlisted - model, model)}；差额在${others}，这一项${own > 0 ? '多' : '少'}计 ${yuan(Math.abs(own))}`
  }
  const proof = comparables.find((one) => one.isNear && aboutLine(one, line.label))
  if (proof) return `${named(proof)}的号这一项不同（${aboutLine(proof, line.label)}），按模型的差价折算后和这个号对得上`
  const [nearest] = kept
  if (line.yuan < 0) return `买家确实会为此压价，${yuan(-line.yuan)} 占估价 ${share(line.yuan, price)}，不用再多让`
  return nearest
    ? `和${which}号比（${named(nearest)}）这一项没有差别，占估价 ${share(line.yuan, price)}，不用调`
    : `占估价 ${share(line.yuan, price)}，没有更近的成交可以改它`
}

const numbered = (rows: readonly Record<string, string>[], name: string) =>
  Object.fromEntries(
    rows.flatMap((row, i) => Object.entries(row).map(([field, value]) => [`${name}-${i}-${field}`, value])),
  )

function notes(page: DeliveryPage, opinion: Opinion) {
  const rows = page.lines.slice(0, page.leastNotes).map((line) => {
    const own = opinion.corrections.get(line.label)
    return {
      label: line.label,
      verdict: own === undefined ? 'AGREE' : own > 0 ? 'HIGHER' : 'LOWER',
      ...(own !== undefined && { own: (line.yuan + own).toFixed(2) }),
      why: fitting(whyOf(line, opinion, page.modelYuan), 200),
    }
  })
  return numbered(rows, 'note')
}

function comparables(page: DeliveryPage, { comparables: all, price }: Opinion) {
  const rows = all.slice(0, page.leastComparables).map((one) => {
    const { id, diff, similarity, yuan: adjusted, isKept } = one
    const same = diff.startsWith('相比') ? diff.replace(/^相比：/, '它') : '主要资料一致'
    const apart = share(adjusted - price, price)
    const against = apart === '0%' ? '和我的估价一样' : `比我的估价${adjusted < price ? '低' : '高'} ${apart}`
    const gap = `折算 ${yuan(adjusted)}，${against}`
    const why = isKept ? `相似 ${similarity}%，${same}；${gap}` : `${gap}，不能作依据；${same}`
    return { id, verdict: isKept ? 'KEPT' : 'STRUCK', why: fitting(why, 200) }
  })
  return numbered(rows, 'like')
}

/** How to sell: tokens instead of amounts, because the price of two is not known yet. */
function selling(page: DeliveryPage, { comparables: all }: Opinion, isSecond: boolean) {
  const assets = assetsOf(page)
  const [top, next] = assets
  const open = assets.find((line) => line.yuan < 0)
  const ways = isSecond
    ? [
        {
          channel: '担保交易平台',
          fee: '5',
          how: `挂 {挂牌价}，商品页写清绑定情况；有人还价先看是否已过平台验号，最低 {快速价}。`,
        },
        { channel: '同区老玩家', fee: '0', how: `直接报 {参考价}，当面换绑；钱进平台担保再交号，最低 {快速价}。` },
      ]
    : [
        {
          channel: '寄售平台',
          fee: '6',
          how: `先挂 {挂牌价}，标题写“${top?.label}”“${next?.label}”；没有询价再降，低于 {快速价} 不卖。`,
        },
        {
          channel: '同游戏玩家群',
          fee: '0',
          how: `直接报 {参考价}，截图放“${top?.label}”；只走平台担保，不收定金，最低 {快速价}。`,
        },
      ]
  const cheapest = all.filter(({ isKept }) => isKept).sort((a, b) => a.price - b.price)[0]
  const objections = [
    open
      ? { says: fitting(open.label, 20), how: `报价里已经扣了 ${yuan(-open.yuan)}，让对方看同类成交，不再为此让价。` }
      : { says: '没有更多截图吗', how: `按资料补“${top?.label}”的截图，不为此让价，最低 {底价}。` },
    cheapest
      ? {
          says: `同类只卖 ${yuan(cheapest.price)}`,
          how: fitting(
            `那个号${cheapest.diff.replace(/^相比：/, '')}，折算到这个号是 ${yuan(cheapest.yuan)}，不是 ${yuan(cheapest.price)}`,
            150,
          ),
        }
      : { says: '一口价能不能少', how: '当天付款可以让到 {快速价}，先约担保再谈价。' },
  ]
  const both = isSecond
    ? [{ says: '怕被找回', how: '给对方看注册和首充截图，交易走平台包赔，不为此让价。' }, ...objections.slice(1)]
    : objections
  return {
    ...numbered(ways.slice(0, page.leastChannels), 'advice'),
    ...numbered(both.slice(0, page.leastBargains), 'bargain'),
  }
}

const topics = {
  REAL_NAME: /实名/,
  MINOR: /防沉迷|未成年/,
  PHONE: /手机|邮箱|绑定/,
  LOGIN: /登录|渠道|系统|平台|区服|服务器/,
}

/** What to do about a binding that the answers say nothing of. */
const UNSAID = {
  REAL_NAME: '没写能否二次实名，只按现状计；挂牌前问一次官方客服，能改就写进标题，买家更敢付全款',
  MINOR: '没写防沉迷；登录一次，没有时长提示就截图放进商品页，买家不会再以此压价',
  PHONE: '没写绑定；交号前换成买家的手机和邮箱，先确认您的手机收得到验证码',
  LOGIN: '没写登录方式；第三方登录要在交号前解绑，解不了的先告诉买家',
}

/** Binding and recovery from the account's own facts; what a line already counts is named with that line's amount. */
function binding(page: DeliveryPage, unlisted: number): [string, string][] {
  if (!page.binding) return []
  const row = (item: string, values: { cost: number; basis: string; removal?: string; gain?: number }) =>
    Object.entries(values).map(([name, value]): [string, string] => [
      `bind-${item}-${name}`,
      typeof value === 'number' ? value.toFixed(2) : value,
    ])
  const factual = keysOf(topics).flatMap((item) => {
    const fact = page.facts.find(({ label }) => topics[item].test(label))
    const line = page.lines.find(({ label, yuan: amount }) => amount < 0 && fact && label.startsWith(fact.label))
    if (!fact) return row(item, { cost: 0, basis: UNSAID[item] })
    if (!line) return row(item, { cost: 0, basis: `资料写“${fact.label}：${fact.value}”，同类成交不为此加减价` })
    return row(item, {
      cost: -line.yuan,
      basis: `资料写“${fact.label}：${fact.value}”，明细里已少计 ${yuan(-line.yuan)}`,
      removal: `卖前先处理“${fact.label}”，办好后把结果页截图放进商品页`,
      gain: -line.yuan * 0.8,
    })
  })
  const recovery = row('RECOVERY', {
    cost: unlisted,
    basis: `没有注册和首充凭证，买家怕找回，按估价的 ${RECOVERY * 100}% 计`,
    removal: '先在官方客服查注册信息，导出首充记录，两张截图随商品页给出',
    gain: unlisted,
  })
  return [...factual, ...recovery]
}

/** The whole delivery form. @param isSecond the later one of an expert order */
export function scriptedDelivery(page: DeliveryPage, isSecond: boolean): Record<string, string> {
  const opinion = opinionOn(page, isSecond)
  const { price, corrections, unlisted } = opinion
  const kept = opinion.comparables.filter(({ isNear }) => isNear)
  const [nearest] = kept
  const own = { low: price * 0.9, quick: price * 0.95, list: price * 1.06, high: price * 1.12 }
  const floor = price * 0.93
  const fallen = isSecond ? [own.list, price, own.quick] : [own.list, (own.list + price) / 2, price]
  const [top, next] = assetsOf(page)
  const gap = price - page.modelYuan
  const against =
    Math.abs(gap) < page.modelYuan / 100
      ? '和模型基本一致'
      : `比模型${gap > 0 ? '高' : '低'} ${share(gap, page.modelYuan)}`
  const changed =
    corrections.size > 0 ? `，更正在${[...corrections.keys()].map((label) => `“${label}”`).join('和')}` : ''
  const comment = isSecond
    ? `我另选了一组可比账号${nearest ? `，最像的是${named(nearest)}` : ''}；绑定与找回由我逐项查，其中找回按 ${yuan(unlisted)} 计，已从估价里扣掉。我给 ${yuan(price)}，${against}${changed}。`
    : `主要价值来自“${top?.label}”和“${next?.label}”。${nearest ? `最接近的是${named(nearest)}，相似 ${nearest.similarity}%。` : ''}我给 ${yuan(price)}，${against}${changed}。`
  return {
    ...notes(page, opinion),
    ...comparables(page, opinion),
    ...selling(page, opinion, isSecond),
    ...Object.fromEntries(binding(page, unlisted)),
    ...numbered(
      fallen
        .slice(0, page.leastSteps)
        .map((fen, i) => ({ day: String(1 + i * (isSecond ? 2 : 3)), price: fen.toFixed(2) })),
      'plan',
    ),
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, value.toFixed(2)])),
    ...Object.fromEntries(Array.from({ length: page.checks }, (_, i) => [`check-${i}`, 'on'])),
    ...{ price: price.toFixed(2), 'plan-floor': floor.toFixed(2), comment },
  }
}
