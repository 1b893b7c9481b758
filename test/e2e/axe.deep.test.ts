import { audit } from './axe'
import { pages, states } from './screens'
import { browser, server, setUpWorld, world } from './setup'

/** axe.test.ts in the other variants a reader may choose. */
jest.setTimeout(600_000)

setUpWorld()

it.each([{ dark: true }, { largest: true }, { width: 320 }, { width: 320, largest: true, dark: true }])(
  'every route, state and sheet is without findings of axe: %j',
  async (variant) => {
    expect(await audit(browser, server, world, { ...pages(world), ...states(world) }, variant)).toEqual({})
  },
)
