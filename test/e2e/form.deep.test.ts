import type { Browser } from 'playwright-core'
import type { RunningServer } from '../fakes/server'
import { sharedServer } from '../fakes/shared'
import { launch, openPhone, type Phone } from './browser'
import { fillInKilledTabs } from './killed-tab'
import { signIn } from './session'

/** The games that form.test.ts leaves out. */
jest.setTimeout(240_000)

let browser: Browser
let server: RunningServer
let phone: Phone

beforeAll(async () => {
  ;[browser, server] = await Promise.all([launch(), sharedServer()])
})
afterAll(() => browser?.close())
beforeEach(async () => {
  phone = await openPhone(browser)
  await signIn(phone.page, server)
})
afterEach(() => phone.context.close())

it.each(['delta', 'pubgm', 'hsr', 'lolm', 'naraka', 'val'])(
  '%s: at every tenth field, in the midst of typing',
  (gameId) => fillInKilledTabs(phone, server, gameId),
)
