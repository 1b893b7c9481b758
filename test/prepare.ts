/** What the global set-ups of jest would make one after the other, made beside the static checks of `npm test`. */
import { buildBundle } from '../server/test/bundle'
import { prepareTemplates } from '../server/test/prepared'
import { preparedBundle } from './weapp/compiled-bundle'
import { WIDTH } from './weapp/harness-server'

void Promise.all([buildBundle().then(prepareTemplates), preparedBundle(WIDTH)])
