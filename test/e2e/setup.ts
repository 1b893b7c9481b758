/** Set-up of tests in a real browser. Jest loads it for each test file, so its variables belong to one file. */
import type { Browser } from 'playwright-core'
import type { RunningServer } from '../fakes/server'
import { sharedServer } from '../fakes/shared'
import { launch } from './browser'
import { populate, type World } from './screens'

export let browser: Browser
export let server: RunningServer
/** an account that has used every feature, after `setUpWorld` */
export let world: World

/** Connects to the run's browser and server before the tests. */
export function setUpBrowser(): void {
  beforeAll(async () => {
    server = sharedServer()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
  })
}

/** The same, with `world`. */
export function setUpWorld(): void {
  setUpBrowser()
  beforeAll(async () => {
    world = await populate(server)
  })
}
