import { NetFailure, networkCode } from '@/platform/transport/port'
import { classify } from './classify'

const body = (code: string | number, msg = '服务器的话', data: unknown = null) => ({
  success: code === 'OK',
  code,
  msg,
  data,
})
const http = (status: number, data: unknown = '', headers: Record<string, string> = {}) =>
  classify({ status, headers, data })

/** Spec §8, row by row. */
it.each([
  [400, '出错了(400)', 'toast'],
  [404, '出错了(404)', 'toast'],
  [401, '登录已过期，请重新登录', 'relogin'],
  [403, '该页面拒绝或禁止访问', 'toast'],
  [405, '请求方式错误，请联系客服', 'toast'],
  [406, '您操作太快了，请稍等一下', 'toast'],
  [460, '非法请求，请联系客服', 'toast'],
  [500, '服务器出错了（请求编号 r-9）', 'requestId'],
  [502, '服务器无响应', 'toast'],
  [503, '服务器出错了，请联系客服', 'toast'],
  [504, '网关超时', 'toast'],
  [418, '未知错误', 'toast'],
])('HTTP %i has its text and way of being shown', (status, msg, behaviour) => {
  expect(http(status, '<html>', { 'x-request-id': 'r-9' })).toMatchObject({
    kind: 'http',
    code: status,
    msg,
    behaviour,
  })
})

it('takes the request id from the body first and does without one', () => {
  expect(http(500, body('INTERNAL_ERROR', '', { requestId: 'in-body' }), { 'x-request-id': 'h' })?.requestId).toBe(
    'in-body',
  )
  expect(http(500)?.msg).toBe('服务器出错了')
})

it('recognises too many requests by the body code, whatever the status', () => {
  for (const status of [200, 406])
    expect(http(status, body('REQUEST_TOO_BUSY_PLEASE_WAIT'))?.msg).toBe('请求过于频繁，请稍后再试')
})

it('keeps the fields of a refused form and drops damaged ones', () => {
  const data = { fields: [{ path: 'a', msg: '必填' }, { path: 1 }, null] }
  expect(http(400, body('VALIDATION_FAILED', '请检查', data))).toMatchObject({
    code: 'VALIDATION_FAILED',
    msg: '出错了(400)',
    serverMsg: '请检查',
    fields: [{ path: 'a', msg: '必填' }],
  })
})

it('shows a business refusal in the server’s words', () => {
  expect(http(200, body('COUPON_NOT_USABLE', '券已过期'))).toMatchObject({ kind: 'business', msg: '券已过期' })
  expect(http(200, body('X', ''))?.msg).toBe('未知错误')
})

it('trusts only an envelope', () => {
  expect(http(200, body('OK', '', 1))).toBeUndefined()
  for (const data of ['<html>', null, [], { success: 'yes' }, { data: 1 }])
    expect(http(200, data)?.msg).toBe('未知错误')
})

it.each([
  [networkCode.failure, 'network', '网络连接超时，请点击屏幕重试'],
  [networkCode.transfer, 'network', '上传或下载失败，请检查网络后重试'],
  [networkCode.aborted, 'abort', '请求已中断'],
] as const)('network code %i has its kind and text', (code, kind, msg) => {
  expect(classify(new NetFailure(code))).toMatchObject({ kind, code, msg })
})

it.each([
  [5, 'offline', '网络未连接，请检查网络后点击屏幕重试', true],
  [5, 'unreachable', '无法连接服务器，请点击屏幕重试', true],
  [5, 'timeout', '网络连接超时，请点击屏幕重试', true],
  [5, 'domain', '服务器域名未加入小程序的合法域名，请联系客服', false],
  [602001, 'offline', '网络未连接，请检查网络后点击屏幕重试', false],
  [602001, 'unreachable', '上传或下载失败，请检查网络后重试', false],
  [602001, 'domain', '服务器域名未加入小程序的合法域名，请联系客服', false],
] as const)('network code %i names the reason %s', (code, reason, msg, retry) => {
  expect(classify(new NetFailure(code, reason))).toMatchObject({ kind: 'network', code, msg, retry })
})
