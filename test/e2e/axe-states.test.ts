import { audit } from './axe'
import { states } from './screens'
import { browser, server, setUpWorld, world } from './setup'

/** axe-core finds nothing serious or critical in other states of pages than those of axe.test.ts. */

setUpWorld()

it('other states of pages, and sheets, are without findings of axe', async () => {
  expect(await audit(browser, server, world, states(world))).toEqual({})
})
