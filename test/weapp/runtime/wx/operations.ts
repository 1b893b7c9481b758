/** APIs for operators: updates of the app. */
import { active, phone } from '../state'
import { type Api, calls, Refused } from './call'

const ready = new Set<() => void>()

/** WeChat has a newer version in store; a test decides when. */
export function updateReady() {
  for (const listener of ready) listener()
  active()
}

export const operationsApi: Record<string, Api> = {
  ...calls({
    getBackgroundFetchData() {
      if (!phone.prefetched) throw new Refused('data not found')
      const { text, age } = phone.prefetched
      return { fetchedData: text, timeStamp: Date.now() - age, path: '', query: '', scene: 0 }
    },
  }),
  getUpdateManager: () => ({
    onCheckForUpdate: () => undefined,
    onUpdateReady: (listener: () => void) => void ready.add(listener),
    onUpdateFailed: () => undefined,
    applyUpdate: () => undefined,
  }),
}
