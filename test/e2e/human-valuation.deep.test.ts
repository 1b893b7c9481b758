import type { Page } from 'playwright-core'
import type { FormConfig } from '@/contract/form/types'
import { sandboxLogins } from '../../server/domains/staff/accounts'
import { commentOf } from '../../server/test/appraisal'
import { jpegOf } from '../../server/test/pictures'
import { nextIdNo } from '../fakes/calls'
import { openPhone, type Phone } from './browser'
import {
  deliverByKeyboard,
  estimateFirst,
  firstSignIn,
  hire,
  openDesk,
  openRow,
  saw,
  signIn,
  toQueue,
} from './desk-keyboard'
import { fillFields, plausibleAccount } from './form'
import { choosePictures, keyboardInput, press, reach, type } from './keyboard'
import { nextMobile } from './session'
import { browser, server, setUpBrowser } from './setup'

/**
 * An expert order from its owner's first visit to the review, with the appraisers' desks beside it: everything that owner
 * and appraisers do is done by keyboard.
 */

const hok = require('../../server/fixtures/games/hok.json') as FormConfig
const PICTURES = 'test-results/e2e'

let phone: Phone
setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser, { newcomer: true })
})
afterEach(async () => {
  // the final screen, to investigate failures
  await phone.page.screenshot({ path: `${PICTURES}/human-valuation.png` })
  await phone.context.close()
})

/** The visible element with exactly this text: the pages below the current one stay in the document, hidden. */
const shown = (page: Page, words: string) => page.getByText(words, { exact: true }).filter({ visible: true }).first()
/** A button of the open dialog. */
const inDialog = (page: Page, title: string, words: string) =>
  page.getByRole('alertdialog', { name: title }).getByRole('button', { name: words })

/** From the first visit to the form of the manual service. */
async function chooseGame(page: Page) {
  const keys = keyboardInput(page)
  const mobile = nextMobile()
  await page.goto(server.url)
  await press(page, shown(page, '同意'))
  await press(page, shown(page, '人工估价'))
  await keys.type(page.getByLabel('手机号').first(), mobile)
  await press(page, page.getByText('获取验证码'))
  await page.getByText('验证码已发送至').waitFor()
  await keys.type(page.getByLabel('验证码', { exact: true }), await server.smsCode(mobile))
  await press(page, page.locator('.choose').getByText(hok.name).first())
}

/** Gives the real name, which comes before the form, and fills its three steps. */
async function order(page: Page) {
  const keys = keyboardInput(page)
  await page.getByText('人工估价需要实名认证，只需一次').waitFor()
  await press(page, shown(page, '去认证'))
  await keys.type(page.getByRole('textbox', { name: '姓名' }), '张伟')
  await keys.type(page.getByRole('textbox', { name: '身份证号' }), nextIdNo())
  await press(page, page.getByRole('checkbox', { name: /^我单独同意/ }))
  await press(page, shown(page, '提交认证'))
  await press(page, shown(page, '继续'))
  await choosePictures(page, page.getByRole('button', { name: '账号截图，添加图片' }), [
    await jpegOf(2000),
    await jpegOf(2100),
  ])
  // what was read of them says what is missing
  await page.getByText(`没有认出${hok.name}的资料`).waitFor()
  await press(page, shown(page, '下一步'))
  await press(page, inDialog(page, '截图可能不够', '不补了'))
  const account = { config: hok, answers: plausibleAccount(hok) }
  const required = (group: string) => hok.fields.filter((f) => f.group === group && f.required === true)
  for (const [i, { key, title }] of hok.groups.filter((group) => required(group.key).length > 0).entries()) {
    if (i > 0) await press(page, page.getByRole('tab', { name: new RegExp(`${title}$`) }))
    await fillFields(page, account, required(key), keys)
  }
  await press(page, shown(page, '下一步'))
  await press(page, shown(page, '选服务'))
  await page.waitForURL(/\/human\/checkout\?/)
}

/** At the checkout the user changes to the expert service, agrees, and pays at the sandbox's cashier. */
async function payForExpert(page: Page) {
  const expert = page.getByRole('radio', { name: /^专家/ })
  await press(page, expert)
  await expert.and(page.locator('[aria-checked="true"]')).waitFor()
  await press(page, page.getByRole('checkbox', { name: /报告生成后不支持无理由退款/ }))
  await press(page, page.getByRole('button', { name: /^支付 ¥/ }).filter({ visible: true }))
  await press(page, page.getByRole('dialog').getByText('微信支付'))
  await page.waitForURL(/\/sandbox\/cashier\//)
  await press(page, page.getByRole('button', { name: '支付成功', exact: true }))
  await page.waitForURL(/\/human\/paySuccess/)
  await page.getByText('等待接单').waitFor()
}

interface Appraisal {
  /** the blind estimate, yuan */
  first: string
  /** yuan */
  price: string
  comment: string
  /** words of the colleagues, which must not be on the page before the delivery */
  unseen: readonly string[]
}

/** Opens the order from the queue, estimates and delivers, without seeing what the colleagues gave. */
async function appraise(page: Page, orderId: string, { first, price, comment, unseen }: Appraisal) {
  await page.goto(`${server.url}/desk`)
  await openRow(page, orderId)
  const textWithoutColleagues = async () => {
    const text = await page.locator('main').innerText()
    expect(unseen.filter((words) => text.includes(words))).toEqual([])
    return text
  }
  expect(await textWithoutColleagues()).not.toContain('AI 明细')
  await estimateFirst(page, first)
  await textWithoutColleagues()
  await deliverByKeyboard(page, price, comment)
}

/** The owner asks, the appraiser answers. */
async function askAndAnswer(phone: Page, desk: Page, orderId: string) {
  await press(phone, shown(phone, '问估价师'))
  await phone.getByText(/的提问由估价师/).waitFor()
  await reach(phone, phone.getByLabel('输入消息'))
  await phone.keyboard.type('两位为什么差这么多？')
  await press(phone, phone.getByText('发送', { exact: true }))
  await phone.getByText('两位为什么差这么多？').waitFor()
  await phone.screenshot({ path: `${PICTURES}/ask-appraiser.png` })
  await toQueue(desk, orderId)
  await desk.getByText('两位为什么差这么多？').waitFor()
  await desk.screenshot({ path: `${PICTURES}/desk-question.png`, fullPage: true })
  await type(desk, 'i', '限定皮肤的行情看法不同，由第三位定价', 'Tab', 'Enter')
  await saw(desk, '已发送')
  await phone.getByText('限定皮肤的行情看法不同，由第三位定价').waitFor()
  await phone.screenshot({ path: `${PICTURES}/ask-appraiser-answer.png` })
}

/** The card of the delivered order in the records. */
async function openRecord(page: Page, price: string) {
  await page.goto(`${server.url}/pagesA/pages/mine/evaluation/records?tab=DONE`)
  return page.locator('.ui-card').filter({ hasText: price })
}

async function askForRevaluation(page: Page) {
  await press(page, (await openRecord(page, '2,800')).getByLabel('更多'))
  await press(page, page.getByRole('dialog').getByText('申请复估'))
  await keyboardInput(page).type(page.getByLabel('哪里不对').first(), '少算了两款限定')
  await page.screenshot({ path: `${PICTURES}/recheck-sheet.png` })
  await press(page, page.getByText('提交复估'))
  await page.getByText('已提交，估价师会重新核对').waitFor()
}

/** Reviews the report with a photo, and looks at the photo. */
async function review(page: Page) {
  const keys = keyboardInput(page)
  await press(page, (await openRecord(page, '2,900')).getByLabel('更多'))
  await press(page, page.getByRole('dialog').getByText('去评价'))
  await press(page, page.getByRole('radiogroup', { name: '总体评价' }).getByRole('radio', { name: /^5 星/ }))
  await press(page, page.getByRole('radio', { name: '差不多' }))
  await press(page, page.getByRole('checkbox', { name: '依据清楚' }))
  await keys.type(page.getByLabel('说说您的看法').first(), '三位的理由都写清楚了')
  await choosePictures(page, page.getByRole('button', { name: '图片，添加图片' }), [await jpegOf(2000)])
  await page.getByLabel('第 1 张，查看大图').waitFor()
  await press(page, page.getByRole('button', { name: '提交评价' }))
  await shown(page, '三位的理由都写清楚了').waitFor()
  await press(page, page.getByRole('button', { name: '第 1 张图片' }))
  await page.waitForFunction(
    () => (document.querySelector<HTMLImageElement>('.pf-preview__img')?.naturalWidth ?? 0) > 0,
  )
  await page.keyboard.press('Escape')
  await page.locator('.pf-preview').waitFor({ state: 'detached' })
  await page.screenshot({ path: `${PICTURES}/review.png` })
}

it('a user orders, pays, asks and reviews beside two appraisers who disagree and a third, all by keyboard', async () => {
  const admin = await openDesk()
  await signIn(admin.page, sandboxLogins.admin)
  const people = []
  for (const nick of ['小南', '小西']) {
    const name = `expert${nextMobile()}`
    people.push({ name, password: await hire(admin.page, { name, nick, role: 'APPRAISER' }) })
  }
  const user = phone.page
  const [first, ...others] = await Promise.all([openDesk(), openDesk(), openDesk()])
  await signIn(first.page, sandboxLogins.appraiser)
  for (const [i, { name, password }] of people.entries()) {
    const desk = others[i]
    if (desk) await firstSignIn(desk.page, name, password)
  }
  const [second, third] = others

  await chooseGame(user)
  await order(user)
  const orderId = new URL(user.url()).searchParams.get('orderId') ?? ''
  await payForExpert(user)

  const [words, distant, settled] = [
    commentOf('皮肤齐全，区服热门，按近期成交'),
    commentOf('两款限定近期走高，明显高于同事'),
    commentOf('限定皮肤按近期成交计，取两者之间'),
  ]
  await first.page.goto(`${server.url}/desk`)
  await openRow(first.page, orderId)
  await type(first.page, 't')
  await saw(first.page, '已接单')
  await estimateFirst(first.page, '2500')
  await deliverByKeyboard(first.page, '2512', words)
  await saw(first.page, '您的估价已保存，等待另一位估价师')
  await appraise(second.page, orderId, { first: '3600', price: '3618', comment: distant, unseen: ['2,512', words] })
  await saw(second.page, '两位的估价相差超过 20%')
  await second.page.screenshot({ path: `${PICTURES}/desk-apart.png`, fullPage: true })
  const unseen = ['2,512', '3,618', words, distant]
  await appraise(third.page, orderId, { first: '2750', price: '2800', comment: settled, unseen })
  await saw(third.page, '报告已交付')

  await user.reload()
  await press(user, shown(user, '查看完整报告'))
  for (const text of ['¥2,800', '独立估价 ¥2,512', '独立估价 ¥3,618', '取三位的中间价'])
    await user.getByText(text).first().waitFor()
  await askAndAnswer(user, first.page, orderId)

  await askForRevaluation(user)
  await toQueue(second.page, orderId)
  await second.page.getByText('少算了两款限定').waitFor()
  await deliverByKeyboard(second.page, '12900', commentOf('补计两款限定，其余与上一版一致'))
  await second.page.getByText('相差 3 倍以上').waitFor()
  // after a refused form the questions are still polled from the order's own page
  const polled = await second.page.waitForResponse((r) => r.request().resourceType() === 'fetch')
  expect([new URL(polled.url()).pathname, polled.status()]).toEqual([`/desk/orders/${orderId}`, 200])
  await deliverByKeyboard(second.page, '2900', commentOf('补计两款限定，其余与上一版一致'))
  await saw(second.page, '报告已交付')
  await user.goto(`${server.url}/pages/evaluation/report/index?orderId=${orderId}`)
  // one appraiser revalues; the report still names all three
  for (const text of ['上一版 ¥2,800，这一版 ¥2,900', '复估结果', '独立估价 ¥2,512'])
    await user.getByText(text).first().waitFor()
  await user.screenshot({ path: `${PICTURES}/rechecked-report.png`, fullPage: true })
  await review(user)
  expect([admin, first, second, third, phone].flatMap(({ problems }) => problems)).toEqual([])
  for (const { context } of [admin, first, second, third]) await context.close()
})
