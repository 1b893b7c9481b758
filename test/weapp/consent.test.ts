import path from 'node:path'
import { ordered, paid, provenAdult } from '../e2e/orders'
import { login } from '../fakes/calls'
import { pictures } from './launch'
import { app, openPhone, server, setUpHarness } from './setup'

/** Consents requested by the app and by WeChat: first launch, privacy guide, one-time messages. */

const HOME = 'pages/home/index'
const LOGIN = 'pagesA/pages/login/wx/index'
const MESSAGES = 'pagesA/pages/mine/message/index'
const CARD = '不同意'
const WAITING = /微信要求您先同意隐私政策/

setUpHarness()

const picture = (name: string) => app.screenshot(path.join(pictures(), `consent-${name}.png`))

/** A phone with this number that has never opened the app. */
const newPhone = (mobile: string) => openPhone({ firstLaunch: true, phone: { phoneCode: `sandbox.${mobile}.*` } })

it('the first launch: the card links to the documents, browse-only is kept, WeChat asks again where required', async () => {
  await newPhone('13800138081')
  await app.start()
  await app.see(CARD)
  await picture('first')
  await app.tap('《隐私政策》')
  await app.see('我们收集什么，为什么')
  await app.back()
  await app.see(CARD)
  await app.tap('不同意')
  await app.gone(CARD)
  await app.see('王者荣耀')
  // pages that are open to everybody open
  await app.start('pagesA/pages/home/news/index')
  await app.see('资讯')

  // the privacy guide protects the phone number: after a refusal nothing is passed on
  await app.start(MESSAGES)
  await app.at(LOGIN)
  await app.tap('手机号快捷登录')
  await app.see('请先阅读并同意')
  await picture('question')
  await app.tap('再看看')
  expect(await app.route()).toBe(LOGIN)
  // a single tap accepts the documents and WeChat's guide, and logs in
  await app.tap('手机号快捷登录')
  await app.tap('同意并继续')
  await app.at(MESSAGES)
  expect(await app.text()).not.toMatch(WAITING)
})

it('the first launch: a user who agrees there is not asked again', async () => {
  await newPhone('13800138082')
  await app.start()
  await app.see(CARD)
  await app.tap('.pf-agree')
  await app.gone(CARD)
  expect(await app.route()).toBe(HOME)
  await app.start(MESSAGES)
  await app.at(LOGIN)
  // WeChat's own button is as high as its neighbour in the largest text
  const heights = await app.top.locator('.ui-page').evaluate((page) => {
    page.classList.replace('ui-text-m', 'ui-text-2x')
    const buttons = [...page.querySelectorAll('.login-wx__quick, .login-wx__quick + .ui-btn--l')]
    const found = buttons.map((button) => Math.round(button.getBoundingClientRect().height))
    page.classList.replace('ui-text-2x', 'ui-text-m')
    return found
  })
  expect(heights).toEqual([67, 67])
  await app.tap('手机号快捷登录')
  await app.at(MESSAGES)
})

it('pictures: a user who refused the guide sees the reason, and can be asked again', async () => {
  const who = await login(server, '13800138086')
  await openPhone({ phone: { privacyAgreed: false, album: [''] } })
  await app.signIn(who)
  await app.start('pagesA/pages/mine/userFeedback/index')
  await app.tap('添加图片')
  await app.see(WAITING)
  await app.tap('暂不使用')
  await app.see('您没有同意微信的隐私保护指引，暂时不能选择图片')
  await app.tap('重新授权')
  await app.see(WAITING)
  await app.tap('.pf-agree')
  // the user chose a file that is not a picture
  await app.see('不是 jpg、png 或 webp 图片')
})

/** A build with message templates configured; without any, nothing is offered. */
const withTemplates = { file: 'common.js', from: '"".split(",")', to: '"report-out,order-news".split(",")' }

it('one-time messages: unknown, switched off, refused, banned, allowed; only the last counts as switched on', async () => {
  const who = await login(server, '13800138083')
  await provenAdult(server, who)
  const orderId = await ordered(server, who)
  await paid(server, who, orderId)
  await openPhone({ change: withTemplates })
  await app.signIn(who)
  await app.start('pages/evaluation/human/paySuccess', { orderId })
  const ask = '报告出来后通知我'
  const off = '未开启，可在微信设置里修改'
  await app.see(ask)
  await picture('messages')
  await app.tap(ask)
  const templates = { 'report-out': 'ask', 'order-news': 'ban' } as const
  await app.set({ templates, messages: false })
  await app.tap(ask)
  await app.set({ messages: true })
  await app.tap(ask)
  await app.tap('不允许发送')
  await app.set({ templates: { 'report-out': 'ban', 'order-news': 'reject' } })
  await app.tap(ask)
  expect(await app.toasts()).toEqual([off, off, off, off])
  await app.set({ templates })
  await app.tap(ask)
  await picture('ask')
  await app.tap('允许发送通知')
  await app.see('已开启通知')
  expect(await app.toasts()).toHaveLength(4)
})
