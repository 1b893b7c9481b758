import { Clean } from 'typebox/value'
import { type CallDef, type CallGroup, type CallOf, calls } from '@/contract/calls'
import { APP_VERSION, HOME_SAMPLES } from '@/contract/constants'
import type { EmbeddedResponses, PrefetchedData } from '@/contract/prefetch'
import { type SignParams, toQuery } from '@/contract/query'
import { isForSale } from '@/contract/sale'
import type { HomeData } from '@/contract/ssr'
import type { Req, Res } from '@/contract/types'
import { endpointOf } from '../calls'
import type { OpenCtx } from '../core/context'

/** ms a part of the home page may take; the app requests slower parts itself */
const READ_TIMEOUT_MS = 600

/**
 * Runs one open call as the app would: its cache key, and the response reduced to declared fields; no response when it was
 * refused, failed or took longer than `patience` ms.
 */
export async function callHandler<R extends CallGroup, C extends CallOf<R>>(
  ctx: OpenCtx,
  group: R,
  name: C,
  req: Req<R, C>,
  patience = READ_TIMEOUT_MS,
) {
  const { method, path } = calls[group][name] as CallDef
  const { handler, res } = endpointOf(group, String(name))
  const query = method === 'GET' ? toQuery(req as SignParams) : ''
  const key = `${query ? `${path}?${query}` : path}\n${method === 'GET' ? '' : JSON.stringify(req)}`
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patience, undefined).unref())
  try {
    const response = await Promise.race([handler(ctx, req), late])
    return { key, data: response === undefined ? undefined : (Clean(res, structuredClone(response)) as Res<R, C>) }
  } catch {
    // the app repeats the call and shows the error in that block only
    return { key, data: undefined }
  }
}

export const toEmbeddedResponses = (all: readonly { key: string; data?: unknown }[]): EmbeddedResponses =>
  Object.fromEntries(all.flatMap(({ key, data }) => (data === undefined ? [] : [[key, data]])))

const payStatus = (ctx: OpenCtx) =>
  callHandler(ctx, 'app', 'openPayStatus', { platform: ctx.platform, version: APP_VERSION })

/** Calls of home whose response is the same for everybody, on every system of a platform. */
const homeCalls = (ctx: OpenCtx) =>
  Promise.all([
    callHandler(ctx, 'evaluation', 'hotGame', {}),
    callHandler(ctx, 'app', 'banner', { place: 'HOME' }),
    callHandler(ctx, 'app', 'excellentReportList', HOME_SAMPLES),
    callHandler(ctx, 'app', 'homeDataCount', {}),
    callHandler(ctx, 'app', 'lastFifteenOrder', {}),
  ])

/** The first screen of home, and the responses to every call its app makes without a login. */
export async function homeData(ctx: OpenCtx): Promise<{ home: HomeData; responses: EmbeddedResponses }> {
  const [[games, banners, samples, ...rest], status] = await Promise.all([homeCalls(ctx), payStatus(ctx)])
  const reports = samples.data as Res<'app', 'excellentReportList'> | undefined
  const coupons = isForSale(status.data) ? [await callHandler(ctx, 'coupon', 'canReceive', {})] : []
  const responses = toEmbeddedResponses([games, banners, samples, status, ...rest, ...coupons])
  return {
    home: { games: games.data, banners: banners.data, samples: reports?.list, status: status.data },
    responses,
  }
}

/**
 * The same for the mini-program, prefetched by WeChat while it loads the package (src/contract/prefetch.ts). WeChat
 * identifies neither user nor system, so the response holds no user data, and what may be sold is listed per system.
 */
export async function prefetchData(ctx: OpenCtx): Promise<PrefetchedData> {
  const [all, ios, other] = await Promise.all([
    homeCalls(ctx),
    payStatus({ ...ctx, os: 'ios' }),
    payStatus({ ...ctx, os: 'other' }),
  ])
  return { all: toEmbeddedResponses(all), ios: toEmbeddedResponses([ios]), other: toEmbeddedResponses([other]) }
}
