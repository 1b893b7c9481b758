import type { Browser } from 'playwright-core'
import type { RunningServer } from '../fakes/server'
import { sharedServer } from '../fakes/shared'
import { audit } from './axe'
import { launch } from './browser'
import { pages, populate, states, type World } from './screens'

/** axe.test.ts in the other variants a reader may choose. */
jest.setTimeout(600_000)

let browser: Browser
let server: RunningServer
let world: World
beforeAll(async () => {
  ;[browser, server] = await Promise.all([launch(), sharedServer()])
  world = await populate(server)
}, 300_000)
afterAll(async () => {
  await browser?.close()
})

it.each([{ dark: true }, { largest: true }, { width: 320 }, { width: 320, largest: true, dark: true }])(
  'every route, state and sheet: %j',
  async (variant) => {
    expect(await audit(browser, server, world, { ...pages(world), ...states(world) }, variant)).toEqual({})
  },
)
