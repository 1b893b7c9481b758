import { api } from '@/api'
import { createNetworkApi } from '@/api/networkApi'
import { observeServerTime } from '@/lib/clock'
import { device } from '@/platform/device'
import { transport } from '@/platform/transport'
import { appState, hasAgreed, session } from '@/session/store'
import { retryPrompt } from './retry'
import { showError } from './showError'

/** Credentials and traffic source; the latter is sent only after the user has agreed. */
const credentials = () => ({
  ...session(),
  ...appState(),
  ...(!hasAgreed() && { channelCode: undefined, bd_vid: undefined }),
})

/** Signs, sends and shows errors. A separate chunk on h5, because the first screen has its responses embedded. */
export const networkApi = createNetworkApi(
  {
    base: API_BASE,
    secret: SIGN_SECRET,
    transport,
    device,
    credentials,
    now: Date.now,
    onServerTime: observeServerTime,
    random: Math.random,
    showError,
    promptRetry: retryPrompt,
  },
  api,
)
