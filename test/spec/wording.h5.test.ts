import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(__dirname, '../..')
/** All files with texts for users: screens, contract, server, desk, posters, content. */
const texts = ['src', 'server'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|md)$/.test(file) && !/\.test\.|(^|\/)(test|cli|gallery|migrations)\//.test(file))
    .map((file) => ({ file: `${folder}/${file}`, text: readFileSync(path.join(root, folder, file), 'utf8') })),
)
const where = (words: string) => texts.filter(({ text }) => text.includes(words)).map(({ file }) => file)

/** Translated-sounding sentences, and idiomatic replacements. */
const retired: [was: string, is: string][] = [
  ['没填的按没有计价', '未填的按常见水平计'],
  ['置信度', '可信度'],
  ['笔成交学得', '笔成交'],
  ['资料由授权读取', '资料来自授权读取'],
  ['的同游戏账号', '超过 '],
  ['(专武', '专武'],
  ['免费确认', '免费解锁'],
  ['支付没有成功', '支付未成功；如未扣款，请重试或换种方式'],
  ['出报告前可随时取消', '接单前可全额退'],
  ['我同意为核验身份单独处理', '我单独同意处理姓名和身份证号，仅用于核验身份'],
  ['粘贴商品链接', '粘贴文字'],
  ['中位误差', '半数估价误差'],
  ['没有提交成功', '提交失败'],
]

it.each(retired)('%s is replaced by %s', (was, is) => {
  expect(where(was)).toEqual([])
  expect(where(is)).not.toEqual([])
})

/** One term for each thing, and one format for amounts and times. */
const forbidden: [pattern: RegExp, instead: string][] = [
  [/AI与人工并排/, 'AI与人工对比'],
  [/行情新鲜/, '行情时效'],
  [/[`'>]订单号|复制订单号|收集订单号/, '订单编号'],
  [/没有找到这笔订单/, '没有找到这个订单'],
  [/有人帮你助力|(?<!没)有人帮你/, '好友助力'],
  [/toFixed\(2\)\} 元/, '¥12.30, by yuan()'],
  [/\d-24:00|(?<!0)9:00–/, '09:00–24:00'],
  [/相似账号/, '类似账号'],
  [/没有办法是真的|我们对自己的分数/, 'said plainly'],
  [/今天到期/, '今天过期'],
  [/全网最[高低准](?!”)|最准确|最专业/, 'no praise of ourselves'],
]

it.each(forbidden)('%s is not written (%s)', (pattern) => {
  expect(texts.filter(({ text }) => pattern.test(text)).map(({ file }) => file)).toEqual([])
})

it('help and documents explain unanswered fields with the same text', () => {
  const rule = '未填的按常见水平计'
  const found = where(rule)
  for (const file of [
    'server/content/help/1-valuation.md',
    'server/content/documents/METHOD.md',
    'server/content/documents/VALUATION_NOTICE.md',
    'server/content/articles/confidence-explained.md',
  ])
    expect(found).toContain(file)
  expect(where('谨慎的情况')).toEqual([])
})
