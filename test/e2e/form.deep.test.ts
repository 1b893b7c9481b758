import { openPhone, type Phone } from './browser'
import { fillInKilledTabs } from './killed-tab'
import { signIn } from './session'
import { browser, server, setUpBrowser } from './setup'

/** Whole forms of the games other than 王者荣耀, in tabs that are killed. */

let phone: Phone

setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser)
  await signIn(phone.page, server)
})
afterEach(() => phone.context.close())

it.each(['ys', 'delta', 'pubgm', 'hsr', 'lolm', 'naraka', 'val'])(
  '%s: at every tenth field, in the midst of typing',
  (gameId) => fillInKilledTabs(phone, server, gameId),
)
