import type { Answers, FormConfig } from '@/contract/form/types'
import { bindingItemText, keysOf } from '@/contract/labels'
import type { Subject } from '../domains/orders/appraiser-actions'
import { checkForm, readAppraisal } from './appraisal-fields'
import { deliveryForm } from './appraisal-form'
import type { Fields } from './auth'
import type { LoadedOrder } from './order'

const hok = require('../fixtures/games/hok.json') as FormConfig

const comparable = (id: string, adjFen: number) => ({ id, kind: 'SOLD', adjFen, priceFen: adjFen, at: 0, diff: [] })
const formWith = (images: string[]) => {
  const loaded = {
    ...{ config: hok, versions: [], estimate: { firstFen: 100_000, draft: {}, draftAt: null } },
    order: { id: 'o1', status: 'ASSIGNED', level: 'STD', answers: {}, images },
    valued: {
      price: { predictFen: 100_000 },
      breakdown: [],
      comparables: [comparable('usual', 110_000), comparable('tenfold', 1_000_000)],
    },
  }
  return deliveryForm(loaded as unknown as LoadedOrder, {}, 'A1').text
}

test('a sale far from the model’s price is marked in the form as it is beside it', () => {
  const [usual = '', tenfold = ''] = formWith([]).split('<div class="note-row">').slice(1)
  expect(usual).toContain('成交 ¥1,100')
  expect(usual).not.toContain('异常成交')
  expect(tenfold).toContain('异常成交 ¥10,000')
})

test('the checklist asks about pictures only where the order has some', () => {
  expect(formWith(['uploads/u1/a'])).toContain('截图属于这个账号')
  expect(formWith([])).not.toContain('截图属于这个账号')
})

test('a misspelt name of three characters is asked about, a day of the week is not', () => {
  const check = (game: string, comment: string) => () => {
    const config = require(`../fixtures/games/${game}.json`) as FormConfig
    const order = { answers: {}, images: [] } as unknown as LoadedOrder['order']
    const checks = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`check-${i}`, 'on']))
    checkForm({ ...checks, comment }, config, order)
  }
  const asked = expect.objectContaining({ detail: '“芙宁纳”是不是“芙宁娜”？确认无误请勾选“名称无误”后交付' })
  expect(check('ys', '主要看芙宁纳的命座，其余按成交')).toThrow(asked)
  expect(check('ys', '主要看芙宁娜的命座，其余按成交')).not.toThrow()
  expect(check('hsr', '星期六挂牌，其余按近期成交来算')).not.toThrow()
})

test('a comment without words is no comment', () => {
  const order = { answers: {}, images: [] } as unknown as LoadedOrder['order']
  const checks = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`check-${i}`, 'on']))
  const check = (comment: string) => () => checkForm({ ...checks, comment }, hok, order)
  expect(check('价格和近期成交相符，已核对截图')).not.toThrow()
  const refused = expect.objectContaining({ detail: '请填写估价说明（至少 10 字）' })
  expect(check('\u200b'.repeat(25))).toThrow(refused)
  expect(check('👍。'.repeat(10))).toThrow(refused)
  expect(check(`已${'\u200b'.repeat(25)}核对`)).toThrow(refused)
})

describe('binding and recovery that the account’s answers do not tell', () => {
  const order = (answers: Answers) => ({ id: 'o1', status: 'ASSIGNED', level: 'PRO', answers, images: [] })
  const typed = Object.fromEntries(
    keysOf(bindingItemText).flatMap((item) => [
      [`bind-${item}-cost`, '0'],
      [`bind-${item}-basis`, '看不出影响'],
    ]),
  )
  const judged = (answers: Answers, fields: Fields = {}) => {
    const prices = { low: '9', quick: '10', list: '12', high: '13' }
    const subject = { order: order(answers), config: hok, level: 'PRO', valued: undefined } as unknown as Subject
    const { binding = [] } = readAppraisal({ ...typed, ...prices, ...fields })(subject)
    return Object.fromEntries(binding.map(({ item, evidence }) => [item, evidence]))
  }

  test('is not judged as harmless: it waits to be verified, unless the appraiser says that it was seen', () => {
    const answered = { server: 'android_qq', realName: 're_auth_allowed', antiAddiction: 'no' }
    const none = { PHONE: 'NONE', RECOVERY: 'NONE' }
    expect(judged(answered)).toEqual({ REAL_NAME: 'ANSWERS', MINOR: 'ANSWERS', LOGIN: 'ANSWERS', ...none })
    expect(judged({ ...answered, realName: 'unknown', antiAddiction: undefined })).toEqual({
      ...{ REAL_NAME: 'NONE', MINOR: 'NONE', LOGIN: 'ANSWERS', ...none },
    })
    expect(judged(answered, { 'bind-PHONE-seen': 'on' })).toMatchObject({ PHONE: 'SEEN', RECOVERY: 'NONE' })
  })

  test('is asked of the appraiser beside what the account says', () => {
    const loaded = {
      ...{ config: hok, versions: [], estimate: { firstFen: 100_000, draft: {}, draftAt: null } },
      ...{ order: order({ server: 'android_qq' }), duties: { binding: true }, valued: undefined },
    }
    const form = deliveryForm(loaded as unknown as LoadedOrder, {}, 'A1').text
    expect(form).toContain('区服：安卓QQ')
    expect(form).toContain('实名情况：未填')
    expect(form).toContain('name="bind-REAL_NAME-seen"')
    expect(form).not.toContain('name="bind-LOGIN-seen"')
  })
})
