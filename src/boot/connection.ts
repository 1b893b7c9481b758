import { api } from '@/api'
import { createConnection } from '@/api/connection'
import { observeServerTime } from '@/lib/clock'
import { device } from '@/platform/device'
import { transport } from '@/platform/transport'
import { appState, hasAgreed, session } from '@/session/store'
import { logFailure } from './errorLog'
import { showError } from './errors'
import { renewLogin } from './renew'
import { askToRetry } from './retry'

export { followDisplay } from './display'

/** Who calls and where they came from; the latter is not needed for browsing and stays here until the user agreed. */
const credentials = () => ({
  ...session(),
  ...appState(),
  ...(!hasAgreed() && { channelCode: undefined, bd_vid: undefined }),
})

/** Signs, sends and tells the user what failed. A chunk of its own on h5: the first screen comes with its answers. */
export const connection = createConnection(
  {
    base: API_BASE,
    secret: SIGN_SECRET,
    transport,
    device,
    credentials,
    now: Date.now,
    heardTime: observeServerTime,
    random: Math.random,
    tell: showError,
    askToRetry,
    failed: logFailure,
    renew: renewLogin,
  },
  api,
)
