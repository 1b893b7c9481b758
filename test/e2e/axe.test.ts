import type { Browser } from 'playwright-core'
import type { RunningServer } from '../fakes/server'
import { sharedServer } from '../fakes/shared'
import { audit } from './axe'
import { launch } from './browser'
import { pages, populate, states, type World } from './screens'

/** axe-core finds nothing serious or critical on any page. */
jest.setTimeout(240_000)

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

it('every route', async () => {
  expect(await audit(browser, server, world, pages(world))).toEqual({})
})

it('other states of pages, and sheets', async () => {
  expect(await audit(browser, server, world, states(world))).toEqual({})
})
