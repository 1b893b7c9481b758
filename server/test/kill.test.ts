/** @group postgres */
/** @group long */
import { testKills } from './kills'

// twenty in kill.deep.test.ts
testKills(3)
