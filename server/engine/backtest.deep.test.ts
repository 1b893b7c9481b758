import { games } from '../test/arbitrary'
import { expectNearIrreducibleError } from '../test/irreducible-error'

test.each(games.map(({ gameId }) => gameId))(
  'later sales of %s are predicted close to the irreducible error with an honest range',
  (id) => {
    expectNearIrreducibleError(id, 1.3)
  },
)
