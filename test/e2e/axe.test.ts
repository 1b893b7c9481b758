import { audit } from './axe'
import { pages, states } from './screens'
import { browser, server, setUpWorld, world } from './setup'

/** axe-core finds nothing serious or critical on any page. */

setUpWorld()

it('every route', async () => {
  expect(await audit(browser, server, world, pages(world))).toEqual({})
})

it('other states of pages, and sheets', async () => {
  expect(await audit(browser, server, world, states(world))).toEqual({})
})
