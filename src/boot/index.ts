import { wireApi } from '@/api'
import { device } from '@/platform/device'
import { installGestures } from '@/platform/gestures'
import { installPageGuard } from '@/platform/pageGuard'
import { transport } from '@/platform/transport'
import { decide } from '@/router/guard'
import { nav } from '@/router/nav'
import { appState, isLoggedIn, session, startSession } from '@/session/store'
import { askToRetry, tell } from './errors'
import { rememberLaunch } from './launch'

/** The composition root: session → api, errors → dialogs, guard → host. Runs once, before anything is drawn. */
export function boot() {
  startSession()
  rememberLaunch()
  installGestures()
  wireApi({
    base: API_BASE,
    secret: SIGN_SECRET,
    transport,
    device,
    credentials: () => ({ ...session(), ...appState() }),
    now: Date.now,
    random: Math.random,
    tell,
    askToRetry,
  })
  installPageGuard((url) => {
    const decision = decide(url, { loggedIn: isLoggedIn() })
    if (decision.kind === 'login') void nav.login(decision.back, 'replace')
    return decision.kind === 'open'
  })
}
