import { testKills } from './kills'

testKills(20)
