import { updates } from '@/platform/update'
import { isInApp } from '@/session/store'

/** What asks is loaded when there is something to ask: on h5 outside a shell there never is. */
const load = () => import('./newVersion')

/** Installs a new version after the user's confirmation; drafts are kept. */
export function followUpdates() {
  updates.follow(async () => (await load()).promptRestart())
  // without a network it is asked at the next start
  if (isInApp())
    load().then(
      ({ promptInAppShell }) => promptInAppShell(),
      () => undefined,
    )
}
