/** Fills a form in a browser tab whose process is killed repeatedly. */
import type { Page } from 'playwright-core'
import type { Answers, FormConfig } from '@/contract/form/types'
import { canonicalAnswers } from '../../server/domains/games/answers'
import type { RunningServer } from '../fakes/server'
import { type Phone, sidewaysScroll } from './browser'
import { answeredFields, filledAnswers, fillFields, plausibleAccount } from './form'
import { ask } from './session'

/** fields filled between two kills of the tab */
const EVERY = 10

type Server = Pick<RunningServer, 'url'>

export const formOf = (gameId: string) => require(`../../server/fixtures/games/${gameId}.json`) as FormConfig

/** Opens the form with all its sections, also those that do not move the price. */
export async function openForm(page: Page, { url }: Server, gameId = 'hok') {
  await page.goto(`${url}/pages/evaluation/fillInInfo/index?gameId=${gameId}&mode=AI`)
  await page.locator('.fill-head').waitFor()
  const folded = page.getByRole('button', { name: '补充材料' })
  if ((await folded.count()) > 0) await folded.tap()
}
const submit = (page: Page) => page.getByText('提交估价', { exact: true })
export const atReport = (page: Page) => page.waitForURL((url) => url.pathname.endsWith('/report/index'))

/** Kills the tab's process, whose page receives no event, and opens the form in a new tab. */
export async function killTab(phone: Phone, server: Server, gameId: string) {
  const { page, context } = phone
  const dead = page.waitForEvent('crash')
  const cdp = await context.newCDPSession(page)
  void cdp.send('Page.crash').catch(() => undefined)
  await dead
  await page.close()
  phone.page = await context.newPage()
  await openForm(phone.page, server, gameId)
}

/** Dispatches the events of a tab that goes to the background. */
export const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })

/**
 * Fills the form of a game up to its report, kills the tab after every tenth field, and expects all answers to arrive.
 */
export async function fillInKilledTabs(phone: Phone, server: Server, gameId: string) {
  const config = formOf(gameId)
  const all = { config, answers: plausibleAccount(config) }
  const fields = answeredFields(config, all.answers).filter(({ type }) => type !== 'textarea')
  const remark = () => phone.page.locator(`#field-${gameId}-remark textarea`)
  await openForm(phone.page, server, gameId)
  let typed = ''
  for (let start = 0; start < fields.length; start += EVERY) {
    await fillFields(phone.page, all, fields.slice(start, start + EVERY))
    await remark().fill(`${start} 未停`)
    // a killed process loses at most the last half second of input
    await killTab(phone, server, gameId)
    expect([typed, `${start} 未停`]).toContain(await remark().inputValue())
    typed = `${start} 隐藏`
    await remark().fill(typed)
    await hide(phone.page)
    await killTab(phone, server, gameId)
    expect(await remark().inputValue()).toBe(typed)
  }
  await submit(phone.page).tap()
  await atReport(phone.page)
  await phone.page.getByText('建议挂牌').first().waitFor()
  expect(await sidewaysScroll(phone.page)).toBe(0)
  const [answer] = await ask(phone.page, [{ group: 'evaluation', name: 'gameConfig', req: { gameId, mode: 'AI' } }])
  const data = answer?.data as { last: { answers: Record<string, unknown> } } | undefined
  expect(canonicalAnswers(config, data?.last.answers as Answers)).toEqual(
    canonicalAnswers(config, { ...filledAnswers(all.answers, fields), remark: typed }),
  )
}
