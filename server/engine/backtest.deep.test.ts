import { games } from '../test/arbitrary'
import { expectNearFloor } from '../test/near-floor'

test.each(games.map(({ gameId }) => gameId))(
  'later sales of %s are predicted close to the noise floor with an honest range',
  (id) => {
    expectNearFloor(id, 1.4)
  },
)
