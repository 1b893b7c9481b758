import { allCalls, type CallOf, type Room } from '@/contract/calls'
import type { Api } from './api'
import { type CallOptions, createClient } from './client'
import type { ApiDeps } from './deps'
import { createFetch, type Fetch } from './download'
import { absolute, createLook, createUpload, type Look, type Upload } from './upload'

export { AppError, isShown } from './error'

type CallName = { [R in Room]: `${R}.${CallOf<R> & string}` }[Room]

/** POSTs that only read: a failure of theirs may be shared like that of a GET. All other POSTs change state. */
const readingPosts: ReadonlySet<string> = new Set<CallName>([
  'user.queryWeixinMiniAppBind',
  'evaluation.orderList',
  'evaluation.linkVerify',
  'evaluation.hotGame',
  'evaluation.contrastAnalysis',
  'app.informationPage',
  'coupon.canReceive',
  'coupon.getByStatus',
  'pay.orderCount',
])

/** The api over given dependencies; the app uses `api` below, tests may make their own. */
export function createApi(deps: ApiDeps, client = createClient(deps)): Api {
  const bound = Object.entries(allCalls).map(([room, defs]) => {
    const functions = Object.entries(defs).map(([name, def]) => {
      const changesState = def.method === 'POST' && !readingPosts.has(`${room}.${name}`)
      return [name, (req?: object, options?: CallOptions) => client.call(def, changesState, req, options)]
    })
    return [room, Object.fromEntries(functions)]
  })
  return Object.fromEntries(bound) as Api
}

/** The app's api. `wireApi` fills it before anything is drawn (boot/, or a test's fake server). */
export const api = {} as Api

/**
 * Pictures of the user: sent to the storage, looked at from there; files the server makes: `fetch`ed, or shown at their
 * `address`. Filled by `wireApi`, like `api`.
 */
export const files = {} as { upload: Upload; look: Look; fetch: Fetch; address(url: string): string }

export function wireApi(deps: ApiDeps) {
  const client = createClient(deps)
  Object.assign(api, createApi(deps, client))
  Object.assign(files, {
    upload: createUpload(api, client, deps),
    look: createLook(api, deps),
    fetch: createFetch(client, deps),
    address: (url: string) => absolute(url, deps),
  })
}
