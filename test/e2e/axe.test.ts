import { audit } from './axe'
import { pages } from './screens'
import { browser, server, setUpWorld, world } from './setup'

/** axe-core finds nothing serious or critical on any page; other states of pages, and sheets: axe-states.test.ts. */

setUpWorld()

it('every route is without findings of axe', async () => {
  expect(await audit(browser, server, world, pages(world))).toEqual({})
})
