import { expectNearFloor } from '../test/near-floor'

test('later sales of hsr are predicted close to the noise floor with an honest range', () => {
  expectNearFloor('hsr', 1.4)
})
