import { calls } from '@/contract/calls'
import { type Login, login, post } from '../fakes/calls'
import { openPhone, type Phone, sidewaysScroll } from './browser'
import { valued } from './orders'
import { logInByHand, nextMobile, signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** Unlock by invitation: friends unlock a report while its owner watches. */

const reportPage = '/pages/evaluation/report/index'
const invitePage = '/pages/evaluation/report/unlock/invite'
const acceptPage = '/pages/evaluation/report/unlock/accept'

let phones: Phone[]

setUpBrowser()
beforeEach(() => {
  phones = []
})
afterEach(async () => {
  for (const { problems } of phones) expect(problems).toEqual([])
  await Promise.all(phones.map(({ context }) => context.close()))
})

async function phoneOf(who?: Login): Promise<Phone> {
  const phone = await openPhone(browser)
  phones.push(phone)
  if (who) await signIn(phone.page, server, JSON.stringify({ version: 1, data: who }))
  return phone
}

/** A friend who helps on a phone that is not drawn. */
async function helpElsewhere(recordId: string) {
  const { token } = await login(server, nextMobile())
  await post(server, calls.evaluation.unlockHelp.path, { recordId }, token)
}

it('the owner invites, friends help on their phones, and the report unlocks on the owner’s open page', async () => {
  const who = await login(server, nextMobile())
  const orderId = await valued(server, who)
  const owner = await phoneOf(who)
  await owner.page.goto(`${server.url}${reportPage}?orderId=${orderId}`)
  await owner.page.getByText('解锁完整报告').tap()
  const answered = owner.page.waitForResponse((r) => r.url().includes('/order/unlock/record'))
  await owner.page.getByText('邀请好友助力解锁').tap()
  await owner.page.waitForURL((url) => url.pathname === invitePage)
  await owner.page.getByText('已助力 0/3').waitFor()
  const { recordId } = ((await (await answered).json()) as { data: { recordId: string } }).data
  await owner.page.getByText('用券免费解锁').waitFor()
  const sizes = await owner.page.locator('.un-methods .ui-btn').evaluateAll((all) =>
    all.map((el) => {
      const { width, height } = el.getBoundingClientRect()
      return `${width}×${height}`
    }),
  )
  expect(new Set(sizes).size).toBe(1)
  expect(await sidewaysScroll(owner.page)).toBe(0)

  // a friend without a login logs in and returns to the same page
  const friend = await phoneOf()
  await friend.page.goto(`${server.url}${acceptPage}?recordId=${recordId}`)
  await friend.page.waitForURL((url) => url.pathname === '/pagesA/pages/login/h5/index')
  await logInByHand(friend, server)
  await friend.page.getByText('帮TA解锁', { exact: true }).waitFor()
  expect(new URL(friend.page.url()).searchParams.get('recordId')).toBe(recordId)
  await friend.page.getByText('帮TA解锁', { exact: true }).tap()
  await friend.page.getByText('助力成功，谢谢您').waitFor()
  // the owner sees the help arrive
  await owner.page.getByText('已助力 1/3').waitFor()

  await helpElsewhere(recordId)
  // the celebration lasts some seconds
  await Promise.all([owner.page.getByText('解锁成功').waitFor(), helpElsewhere(recordId)])
  await owner.page.waitForURL((url) => url.pathname === reportPage)
  await owner.page.getByText('相加即估价').first().waitFor()
  // the celebration is shown once
  await owner.page.goto(`${server.url}${invitePage}?orderId=${orderId}`)
  await owner.page.waitForURL((url) => url.pathname === reportPage)
})
