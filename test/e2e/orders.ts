/** State of a user before a test of h5 or of the mini-program begins: valuations and orders, made by the server's own calls. */
import { calls } from '@/contract/calls'
import type { Answers, FormConfig } from '@/contract/form/types'
import { isRequired } from '@/contract/form/validate'
import { type Login, nextIdNo, post, sandbox } from '../fakes/calls'
import type { RunningServer } from '../fakes/server'
import { plausibleAccount } from './form'

export const hok = require('../../server/fixtures/games/hok.json') as FormConfig
const ys = require('../../server/fixtures/games/ys.json') as FormConfig
const { gameId, schemaVersion } = hok
const known = new Set(hok.fields.map(({ key }) => key))

/** Valid answers for the form of 王者荣耀. */
export const hokAnswers = Object.fromEntries(
  Object.entries(plausibleAccount(hok)).filter(([key]) => known.has(key)),
) as Answers

type Made = { orderId: string }
type Server = Pick<RunningServer, 'url'>

/** An AI valuation with a locked report. */
export async function valued(server: Server, { token }: Login, more: Answers = {}): Promise<string> {
  const request = { gameId, schemaVersion, answers: { ...hokAnswers, ...more }, source: 'TYPED' }
  return (await post<Made>(server, calls.evaluation.submitAi.path, request, token)).orderId
}

/** An AI valuation that waits until its account was read. */
export async function beingRead(server: Server, { token }: Login): Promise<string> {
  const asked = ys.fields.filter((f) => !f.autoFill && isRequired(f, 'AI'))
  const given = Object.fromEntries(asked.map((f) => [f.key, f.options?.[0]?.v ?? '812345678']))
  const read = { gameId: ys.gameId, loginType: 'QR' }
  const { taskId } = await post<{ taskId: string }>(server, calls.evaluation.taskCreate.path, read, token)
  const request = { gameId: ys.gameId, schemaVersion: ys.schemaVersion, answers: given, taskId, source: 'AUTH' }
  return (await post<Made>(server, calls.evaluation.submitAi.path, request, token)).orderId
}

/** An unpaid manual order. Requires real-name verification first. */
export async function ordered(server: Server, { token }: Login, more: Answers = {}): Promise<string> {
  const request = { gameId, schemaVersion, answers: { ...hokAnswers, ...more }, level: 'STD' }
  return (await post<Made>(server, calls.evaluation.submitManual.path, request, token)).orderId
}

export async function provenAdult(server: Server, { token }: Login): Promise<void> {
  const person = { name: '张三丰', idNo: nextIdNo(), consent: true }
  await post(server, calls.user.realNameAuth.path, person, token)
}

/** The payment of an order, up to the sandbox's confirmation that it was received. */
export async function paid(server: Server, { token }: Login, orderId: string): Promise<void> {
  const order = { orderId, payType: 'WX_H5', consent: true, couponId: '', returnUrl: server.url }
  await post(server, calls.pay.payment.path, order, token)
  await sandbox(server, 'pay', { orderId, result: 'SUCCESS' })
}
