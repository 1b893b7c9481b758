/** Fetches sales from partners that publish a signed feed instead of sending (docs/partners.md). */
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { sql } from 'kysely'
import { HOUR_MS } from '@/contract/time'
import { invalid } from '../../../app-error'
import type { Deps } from '../../../context'
import { rowsJob } from '../../shared/due-rows'
import { type Partner, secretOfPartner } from './partners'
import { isPrivateAddress, lookupPublic, requirePublicAddress } from './public-address'
import { checkLines, receiveSales } from './receive'
import { isRecent, isSignedBy, signBody } from './signature'

/** ms between two fetches of a feed that is up to date */
const PULL_EVERY = HOUR_MS
const MAX_LINES = 5_000
const MAX_BYTES = 5 * 1024 * 1024
const MAX_CURSOR = 500
/** ms */
const TIMEOUT = 20_000

/**
 * @throws AppError VALIDATION_FAILED: no https address, or one of a private network (both only in the sandbox, for trials on
 * one machine). Names are resolved when the feed is fetched.
 */
export function checkPullUrl(address: string, sandbox: boolean): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !(url.protocol === 'https:' || (sandbox && url.protocol === 'http:')) || address.length > 500)
    throw invalid([{ path: 'url', msg: '拉取地址应为 https 网址' }])
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw invalid([{ path: 'url', msg: '拉取地址不能含有账号、密码或 #' }])
  if (!sandbox && isPrivateAddress(url)) throw invalid([{ path: 'url', msg: '拉取地址不能是本机或内网的地址' }])
  return url.toString()
}

/** Reads at most `MAX_BYTES`, so that an endless feed cannot fill the memory. */
async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MAX_BYTES) throw new Error('the feed is larger than 5 MB')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** One request on a connection of its own: a redirect is not followed, and outside the sandbox only public hosts are reached. */
async function get(url: URL, headers: Record<string, string>, sandbox: boolean): Promise<IncomingMessage> {
  if (!sandbox) requirePublicAddress(url)
  const { request } = url.protocol === 'https:' ? https : http
  const options = {
    headers,
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT),
    ...(!sandbox && { lookup: lookupPublic }),
  }
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end()
  })
}

async function fetchPage(deps: Deps, { partner_id: key, secret_sealed, pull_url, pull_cursor }: Partner) {
  const secret = secretOfPartner(deps.encryption, { partner_id: key, secret_sealed })
  const url = new URL(pull_url ?? '')
  if (pull_cursor) url.searchParams.set('cursor', pull_cursor)
  const time = String(deps.clock.realNow())
  const sign = signBody(secret, time, Buffer.from(url.pathname + url.search))
  const headers = { 'x-partner-key': key, 'x-partner-time': time, 'x-partner-sign': sign }
  const answer = await get(url, headers, deps.settings.sandbox)
  if (answer.statusCode !== 200) {
    answer.destroy()
    throw new Error(`the feed answered ${answer.statusCode}`)
  }
  const body = await bodyOf(answer)
  const headerOf = (name: string) => String(answer.headers[name] ?? '')
  const [sentAt, sentSign] = [headerOf('x-partner-time'), headerOf('x-partner-sign')]
  if (!isRecent(sentAt, deps.clock.realNow()) || !isSignedBy(secret, sentAt, body, sentSign))
    throw new Error('the signature of the feed is wrong')
  checkLines(body, MAX_LINES)
  const cursor = headerOf('x-next-cursor')
  return { body, cursor: cursor === '' || cursor.length > MAX_CURSOR ? undefined : cursor }
}

/**
 * Fetches and stores one page. The cursor moves only after its rows are stored, so nothing is skipped, and not where staff
 * have changed the address meanwhile.
 */
async function pullOne(deps: Deps, partner: Partner, now: number): Promise<boolean> {
  const { partner_id: id, pull_url, pull_cursor: before } = partner
  const mine = deps.db.updateTable('partners').where('partner_id', '=', id).where('pull_url', '=', pull_url)
  try {
    const { body, cursor } = await fetchPage(deps, partner)
    if (body.length > 0) await receiveSales(deps, id, body, 'PULL')
    const isMore = cursor !== undefined && cursor !== before && body.length > 0
    await mine
      .set({ pull_cursor: cursor ?? before, pulled_at: isMore ? partner.pulled_at : now, pull_failure: null })
      .execute()
    return true
  } catch (e) {
    const why = e instanceof Error ? e.message : 'unknown'
    await mine.set({ pulled_at: now, pull_failure: why.slice(0, 200) }).execute()
    deps.log.warn({ partner: id, why }, 'a feed could not be fetched')
    return false
  }
}

export const pullPartnerFeeds = rowsJob({
  name: 'listings of partners',
  lowPriority: true,
  due: (deps, now, notQuarantined) =>
    deps.db
      .selectFrom('partners')
      .selectAll()
      .where('pull_url', 'is not', null)
      .where('stopped_at', 'is', null)
      .where((e) => e.or([e('pulled_at', 'is', null), e('pulled_at', '<=', now - PULL_EVERY)]))
      .where(notQuarantined(sql`partners.partner_id`))
      .execute(),
  idOf: (row) => row.partner_id,
  process: pullOne,
})
