import { updates } from '@/platform/update'
import { isInNativeApp } from '@/session/store'

/** The prompt's code is loaded only when there is an update; on h5 outside the native app there never is one. */
const load = () => import('./newVersion')

/** Installs a new version after the user's confirmation; drafts are kept. */
export function handleUpdates() {
  updates.onReady(async () => (await load()).promptRestart())
  // without a network the prompt is shown at the next start
  if (isInNativeApp())
    load().then(
      ({ promptInNativeApp }) => promptInNativeApp(),
      () => undefined,
    )
}
