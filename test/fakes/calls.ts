/** Signed calls to a real server, without the app. */
import { randomInt } from 'node:crypto'
import { canonicalGet, type SignParams, toQuery } from '@/contract/query'
import { sign } from '@/contract/sign'
import type { RunningServer } from './server'

type Server = Pick<RunningServer, 'url'>

/** A network of its own for each call: one gets only so many codes a day. Shared servers trust it (`sharedSettings`). */
const anyNetwork = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`

async function send<T>(
  { url }: Server,
  path: string,
  canonical: string,
  init: RequestInit,
  token?: string,
): Promise<T> {
  const timestamp = String(Date.now())
  const random = '000001'
  const secret = process.env.SIGN_SECRET ?? 'dev-sign-secret'
  const headers = {
    'content-type': 'application/json',
    timestamp,
    random,
    sign: sign({ canonical, timestamp, random, secret }),
    'x-forwarded-for': anyNetwork(),
    ...(token && { token }),
  }
  const answer = await fetch(url + path, { ...init, headers })
  const { data, success, msg } = (await answer.json()) as { data: T; success: boolean; msg: string }
  if (!success) throw new Error(`${path}: ${msg}`)
  return data
}

/** `data` of the answer. @throws Error with the server's sentence when it refuses */
export function post<T>(server: Server, path: string, params: object, token?: string): Promise<T> {
  const body = JSON.stringify(params)
  return send(server, path, body, { method: 'POST', body }, token)
}

/** A GET call. @throws Error with the server's message when it is refused */
export const read = <T>(server: Server, path: string, params: SignParams, token?: string): Promise<T> =>
  send(server, `${path}?${toQuery(params)}`, canonicalGet(params), {}, token)

/** A call of the sandbox: neither signed nor enveloped. */
export async function sandbox(server: Server, call: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${server.url}/sandbox/${call}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`sandbox ${call}: HTTP ${answer.status} ${await answer.text()}`)
}

/** Moves the clock past the interval between two codes to one number. */
export const nextMinute = (server: RunningServer) => sandbox(server, 'clock', { advanceMs: 61_000 })

/** Whether this token is valid. */
export const isIn = (server: Server, token: string): Promise<boolean> =>
  read(server, '/app-api/user/get', {}, token).then(
    () => true,
    () => false,
  )

export interface Login {
  token: string
  userId: string
}

export async function login(server: RunningServer, mobile: string): Promise<Login> {
  await post(server, '/app-api/user/auth/send-sms-code', { mobile, scene: 1 })
  return post<Login>(server, '/app-api/user/auth/sms-login', { mobile, code: await server.smsCode(mobile) })
}

const E = '/app-api/api/evaluate/user/order'

const two = (n: number) => String(n).padStart(2, '0')

/** A unique valid ID number of an adult: a number can verify three accounts at most, and test files share a server. */
export function nextIdNo(): string {
  const born = `${randomInt(1950, 2000)}${two(randomInt(1, 13))}${two(randomInt(1, 29))}`
  const digits = `110105${born}${randomInt(100, 1000)}`
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  const sum = weights.reduce((total, weight, i) => total + weight * Number(digits[i]), 0)
  return `${digits}${'10X98765432'[sum % 11]}`
}

/** Unlocks a report by payment: real-name check, price without coupon, payment, provider's notification. */
export async function payForReport(server: RunningServer, token: string, orderId: string): Promise<void> {
  const person = { name: '张伟', idNo: nextIdNo(), consent: true }
  await post(server, '/app-api/user/real/name/auth', person, token)
  await post(server, `${E}/create/ai/pre`, { orderId, couponId: '' }, token)
  const order = { orderId, payType: 'WX_H5', consent: true, couponId: '', returnUrl: server.url }
  await post(server, `${E}/payment`, order, token)
  await sandbox(server, 'pay', { orderId, result: 'SUCCESS' })
}
