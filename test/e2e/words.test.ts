import { newContext, openPhone } from './browser'
import { handTo, pages, type Screen, states } from './screens'
import { browser, server, setUpWorld, world } from './setup'
import { type VisibleCharacters, visibleCharacters } from './visible-characters'

/** Budgets of words: Chinese characters on the whole page and on the first screen of 375 × 812. */

setUpWorld()

interface Counted extends Screen {
  /** the question of consent is open */
  newcomer?: boolean
}

async function charactersOf({ path, as, shows, newcomer = false }: Counted): Promise<VisibleCharacters> {
  const phone = await openPhone(browser, { newcomer })
  try {
    await handTo(phone, server, world, as)
    await phone.page.goto(server.url + path)
    await phone.page.getByText(shows).filter({ visible: true }).first().waitFor()
    await phone.page.waitForLoadState('networkidle')
    return await visibleCharacters(phone.page)
  } finally {
    await phone.context.close()
  }
}

const budgets: [string, () => Counted | undefined, VisibleCharacters][] = [
  ['home of a guest', () => ({ ...pages(world).home, as: 'nobody' }), { page: 220, screen: 110 }],
  ['home of a user', () => pages(world).home, { page: 220, screen: 110 }],
  [
    'home with the question of consent',
    () => ({ ...pages(world).home, as: 'nobody', newcomer: true }),
    { page: 220, screen: 110 },
  ],
  ['quick estimate', () => ({ ...pages(world).evaluation, as: 'nobody' }), { page: 200, screen: 110 }],
  ['form', () => pages(world).evaluationFillInInfo, { page: 200, screen: 90 }],
  ['settings', () => pages(world).mineSetting, { page: 160, screen: 160 }],
  ['mine', () => pages(world).mine, { page: 120, screen: 120 }],
  ['checkout', () => pages(world).humanCheckout, { page: 150, screen: 150 }],
  ['cashier', () => pages(world).payment, { page: 60, screen: 60 }],
  ['locked report', () => states(world)['report, locked'], { page: 220, screen: 110 }],
  ['report', () => pages(world).report, { page: 320, screen: 110 }],
  ["appraisers' report", () => states(world)['report of two appraisers'], { page: 350, screen: 120 }],
]

it.each(budgets)('%s stays within its number of characters', async (_, screen, most) => {
  const found = screen()
  if (!found) throw new Error('no such screen')
  const { page, screen: first } = await charactersOf(found)
  expect({ page: Math.max(page, most.page), screen: Math.max(first, most.screen) }).toEqual(most)
})

it('counts what is seen: not hidden, not for screen readers alone, not covered', async () => {
  const context = await newContext(browser, { viewport: { width: 375, height: 812 } })
  const page = await context.newPage()
  await page.setContent(`
    <p>看得见 abc</p>
    <p style="display:none">没有</p>
    <p style="visibility:hidden">没有</p>
    <p style="opacity:0">没有</p>
    <p style="position:absolute;width:1px;height:1px;overflow:hidden">没有</p>
    <p style="position:absolute;top:700px">盖住</p>
    <p style="position:absolute;top:2000px">下面</p>
    <div style="position:fixed;bottom:0;left:0;right:0;height:200px;background:#fff">栏</div>`)
  expect(await visibleCharacters(page)).toEqual({ page: 8, screen: 4 })
  await context.close()
})
