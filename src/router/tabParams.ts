import { atom } from 'jotai'
import { store } from '@/session/store'
import type { RouteName } from './routes'

/** Parameters of tabs: the mini-program cannot pass any, and h5 reuses the old instance. */
export const tabParamsAtom = atom<Partial<Record<RouteName, Record<string, string | undefined>>>>({})

export function setTabParams(name: RouteName, params: Record<string, string | undefined>) {
  if (Object.keys(params).length > 0) store.set(tabParamsAtom, { ...store.get(tabParamsAtom), [name]: params })
}
