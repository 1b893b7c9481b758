import { games } from '../test/arbitrary'
import { expectNearFloor } from '../test/near-floor'

// lolm: backtest.test.ts
test.each(games.map(({ gameId }) => gameId).filter((id) => id !== 'lolm'))(
  'later sales of %s are predicted close to the noise floor with an honest range',
  (id) => {
    expectNearFloor(id, 1.4)
  },
)
