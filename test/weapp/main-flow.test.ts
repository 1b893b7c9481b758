import path from 'node:path'
import budgets from '../../bench/budgets.json'
import { login } from '../fakes/calls'
import { pictures } from './launch'
import { app, server, setUpPhone } from './setup'
import { fillLine, loginBySms, pickChip, pickInSheet } from './steps'

const form = 'pages/evaluation/fillInInfo/index'
const report = 'pages/evaluation/report/index'

setUpPhone()

const picture = (name: string) => app.screenshot(path.join(pictures(), `main-flow-${name}.png`))

async function fillFirstHalf() {
  await pickChip(app, '区服', '安卓QQ')
  await fillLine(app, '英雄数', '80')
  await fillLine(app, '荣耀典藏', '3')
  await fillLine(app, '无双', '1')
  await fillLine(app, '限定传说', '5')
}

async function fillSecondHalf() {
  await pickChip(app, '贵族等级', 'V5')
  await pickInSheet(app, '段位', '倔强青铜', 'Ⅲ')
  await pickChip(app, '实名情况', '可二次实名')
  await pickChip(app, '防沉迷', '无防沉迷')
  await pickChip(app, '封禁/处罚', '正常')
}

it('values an account from the first tap to the report, across a crash of the app', async () => {
  await app.start()
  await app.tap(app.top.locator('.home-game', { hasText: '王者荣耀' }))
  await app.tap('填完整，估得更准')
  await app.at('pagesA/pages/login/wx/index')
  await loginBySms(app, server, '13800138001')
  await app.at(form)
  const skins = app.top.locator('.ui-field', { hasText: '皮肤数' }).locator('input')
  await fillLine(app, '皮肤数', '200')
  // the first missing answer is scrolled into view, and all input is kept
  await app.tap('提交估价')
  await app.see(/还有 \d+ 项必填/)
  const first = app.top.locator('.ui-field--bad').first()
  expect(await first.locator('.ui-field__label').innerText()).toBe('区服')
  expect(
    await first.evaluate((e) => e.getBoundingClientRect().top > 0 && e.getBoundingClientRect().bottom < innerHeight),
  ).toBe(true)
  await picture('errors')
  expect(await skins.inputValue()).toBe('200')

  await fillFirstHalf()
  const tap = await app.measure(() => pickChip(app, '区服', '苹果微信'))
  console.log(`chip: ${tap.calls} setData, ${tap.bytes} bytes`)
  expect(tap.calls).toBeGreaterThan(0)
  expect(tap.calls).toBeLessThanOrEqual(budgets.weapp.tapSetDataCalls.max)
  // WeChat ends an app in the background without an event: typed input must be kept
  await app.start(form, { gameId: 'hok', mode: 'AI' })
  expect(await skins.inputValue()).toBe('200')
  await fillSecondHalf()
  await picture('form')

  await app.tap('提交估价')
  await app.at(report)
  await app.see('建议挂牌')
  const text = await app.text()
  const [, low, high] = /成交在\s*¥([\d,]+)\s*–\s*¥([\d,]+)/.exec(text) ?? []
  const yuan = (s: string | undefined) => Number(s?.replace(/,/g, ''))
  expect(yuan(low)).toBeGreaterThan(0)
  expect(yuan(high)).toBeGreaterThan(yuan(low))
  await picture('report')

  await app.start('pagesA/pages/mine/evaluation/records')
  await app.tap('.order-card')
  await app.at(report)
  await app.see(`¥${low}`)
  await app.see(`¥${high}`)
})

/** px, as runtime/wx/device.ts places WeChat's own button */
const CAPSULE_LEFT = 281

it('the text size chosen on the tab 我的 applies at once and after a restart', async () => {
  await app.signIn(await login(server, '13800138009'))
  await app.start()
  await app.tap('我的')
  const size = () => app.top.getByText('帮助中心').evaluate((el) => Number.parseFloat(getComputedStyle(el).fontSize))
  const normal = await size()
  await app.tap('字体大小')
  await app.tap(app.top.locator('.ui-sheet').getByRole('radio', { name: '特大' }))
  expect((await size()) / normal).toBeCloseTo(1.3, 2)
  await app.start('pages/mine/index')
  await app.see('帮助中心')
  expect((await size()) / normal).toBeCloseTo(1.3, 2)
  expect(await app.sidewaysScroll()).toBe(0)
  // the largest text: the title of home is complete and does not overlap WeChat's button
  await app.tap('字体大小')
  await app.tap(app.top.locator('.ui-sheet').getByRole('radio', { name: '最大' }))
  await app.start()
  await app.at('pages/home/index')
  const title = await app.top.locator('.ui-nav__title').evaluate((el) => {
    const { right } = el.getBoundingClientRect()
    const { clientHeight, scrollHeight, clientWidth, scrollWidth } = el
    return { right, cut: scrollHeight > clientHeight || scrollWidth > clientWidth }
  })
  expect(title.cut).toBe(false)
  expect(title.right).toBeLessThanOrEqual(CAPSULE_LEFT)
  await app.page.screenshot({ path: 'test-results/weapp/home-double.png' })
})
