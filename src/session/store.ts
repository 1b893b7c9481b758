import { atom, getDefaultStore } from 'jotai'
import { device } from '@/platform/device'
import { storage as realStorage } from '@/platform/storage'
import type { Storage } from '@/platform/storage/port'
import { readApp, readSession, writeApp, writeSession } from './persist'
import { reduce, type SessionEvent } from './reduce'
import { emptySession, initialApp, type State } from './state'

/** The one store. It is jotai's default, so no provider is needed and every page tree sees the same atoms. */
export const store = getDefaultStore()

const stateAtom = atom<State>({ session: emptySession, app: initialApp(device.platform) })

export const sessionAtom = atom((get) => get(stateAtom).session)
export const appStateAtom = atom((get) => get(stateAtom).app)
export const loggedInAtom = atom((get) => get(sessionAtom).token !== undefined)

/** Whether the user has agreed to agreement and privacy: on the first launch, or at a login, where both must be ticked. */
export const agreedAtom = atom((get) => get(loggedInAtom) || !get(appStateAtom).isFirstTimeLaunch)

let storage: Storage = realStorage

/** The only way session or app state changes. What changed is stored at once. */
export function dispatch(e: SessionEvent) {
  const before = store.get(stateAtom)
  const after = reduce(before, e)
  if (after === before) return
  store.set(stateAtom, after)
  // the current state: a subscriber may have dispatched another event meanwhile
  if (after.session !== before.session) writeSession(storage, session())
  if (after.app !== before.app) writeApp(storage, appState())
}

/** Fills the store from storage. */
export function startSession(from: Storage = realStorage) {
  storage = from
  store.set(stateAtom, { session: readSession(storage), app: readApp(storage, device.platform) })
}

export const session = () => store.get(sessionAtom)
export const appState = () => store.get(appStateAtom)
/** The iOS app (spec §2) has its own home page, share image and cashier. */
export const isInIosApp = () => appState().platform === 'ios'
/** Whether the page runs in the WebView of an app installed from a store. */
export const isInNativeApp = () => ['ios', 'android'].includes(appState().platform)
export const hasAgreed = () => store.get(agreedAtom)
export const isLoggedIn = () => store.get(loggedInAtom)
