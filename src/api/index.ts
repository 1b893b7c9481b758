import { type CallDef, type CallGroup, type CallOf, calls } from '@/contract/calls'
import { DEDUPE_WINDOW } from '@/contract/constants'
import type { Req, Res } from '@/contract/types'
import { absoluteUrl } from './address'
import type { Api } from './api'
import type { CallOptions } from './client'
import type { Download } from './download'
import type { NetworkApi } from './networkApi'
import { type PreparedRequest, prepareRequest } from './prepareRequest'
import type { GetPictureUrl, Upload } from './upload'

export { ApiError, isShown } from './error'

type CallName = { [R in CallGroup]: `${R}.${CallOf<R> & string}` }[CallGroup]

/** POSTs that change nothing that is read: they are shared like GETs and outdate no response. All other POSTs change state. */
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
  'pay.createPre',
  'pay.createAiPre',
  'pricePreview.preview',
])

function changesState(name: string, { method }: CallDef, req: object): boolean {
  // the specification marks messages read and deletes them by the GET that lists them
  if (name === 'user.messages') return 'read' in req || 'remove' in req
  // only the count of urging an order is read again
  if (name === 'app.countHit') return (req as Req<'app', 'countHit'>).key === 'ORDER_URGE'
  return method === 'POST' && !readingPosts.has(name)
}

/** One function per call of the table, each sent by `call`; the app uses `api` below, tests may make their own. */
export function createApi(call: NetworkApi['call']): Api {
  const bound = Object.entries(calls).map(([group, defs]) => {
    const functions = Object.entries(defs).map(([name, def]) => [
      name,
      (req: object = {}, options?: CallOptions) =>
        call(prepareRequest(def, req), changesState(`${group}.${name}`, def, req), options),
    ])
    return [group, Object.fromEntries(functions)]
  })
  return Object.fromEntries(bound) as Api
}

/** The app's api. `configureApi` fills it before anything is drawn (boot/, or a test's fake server). */
export const api = {} as Api

/**
 * Uploads and URLs of the user's pictures; files rendered by the server, saved with `download` or shown by their
 * `address`. Filled by `configureApi`, like `api`.
 */
export const files = {} as {
  upload: Upload
  pictureUrl: GetPictureUrl
  download: Download
  address(url: string): string
}

export interface ApiConfig {
  /** Prefix of every call's path; empty on h5. */
  base: string
  /** Answer embedded in the page, or a promise of it; each is returned once. `body` is '' without one. */
  first?(path: string, body: string): unknown
  /**
   * Loads the network API when a request must be sent; rejects with ApiError. `quiet`: the caller shows the
   * failure itself.
   */
  loadNetworkApi(quiet: boolean): NetworkApi | Promise<NetworkApi>
}

/** Responses embedded in the page, deduplicated like responses of the network (spec §9). */
function createEmbeddedResponses(first: ApiConfig['first']) {
  const given = new Map<string, unknown>()
  return ({ path, body = '' }: PreparedRequest): unknown => {
    const key = `${path}\n${body}`
    if (given.has(key)) return given.get(key)
    const response = first?.(path, body)
    if (response === undefined) return undefined
    given.set(key, response)
    setTimeout(() => given.delete(key), DEDUPE_WINDOW)
    return response
  }
}

let embeddedResponses: (call: PreparedRequest) => unknown = () => undefined

/** The embedded response to a call, if there is one, for rendering it immediately. */
export function embeddedResponse<R extends CallGroup, C extends CallOf<R>>(
  group: R,
  name: C,
  req: Req<R, C>,
): Res<R, C> | undefined {
  const response = embeddedResponses(prepareRequest(calls[group][name] as CallDef, req as object))
  return response instanceof Promise ? undefined : (response as Res<R, C> | undefined)
}

export function configureApi({ base, first, loadNetworkApi: connect }: ApiConfig) {
  embeddedResponses = createEmbeddedResponses(first)
  let loaded: NetworkApi | undefined
  /** Synchronous once it is loaded, so that a call is sent in the same tick. */
  const whenLoaded = <T>(then: (ready: NetworkApi) => Promise<T>, quiet = true): Promise<T> => {
    const ready = loaded ?? connect(quiet)
    const use = (network: NetworkApi) => {
      loaded = network
      return then(network)
    }
    return ready instanceof Promise ? ready.then(use) : use(ready)
  }
  const call: NetworkApi['call'] = (prepared, changesState, options) => {
    const send = () =>
      whenLoaded(
        (ready) => ready.call(prepared, changesState, options),
        options?.quiet === true || options?.quiet === 'always',
      )
    const came = embeddedResponses(prepared)
    if (came instanceof Promise) return came.then((response) => (response === undefined ? send() : response))
    return came === undefined ? send() : Promise.resolve(came)
  }
  Object.assign(api, createApi(call))
  Object.assign(files, {
    upload: (...args) => whenLoaded((ready) => ready.upload(...args)),
    pictureUrl: (...args) => whenLoaded((ready) => ready.pictureUrl(...args)),
    download: (...args) => whenLoaded((ready) => ready.download(...args)),
    address: (url) => absoluteUrl(url, base),
  } satisfies typeof files)
}
