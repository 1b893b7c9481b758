import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@/contract/errors'

type ErrorResponse = { status: number; code: ErrorCode; msg: string }

/** Keyed by the error code of Node's HTTP server. */
const errorResponses: Partial<Record<string, ErrorResponse>> = {
  // over 16 kB (node --max-http-header-size)
  HPE_HEADER_OVERFLOW: { status: 431, code: 'PAYLOAD_TOO_LARGE', msg: '请求头过大，请清除浏览器数据后重试' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'REQUEST_TOO_BUSY_PLEASE_WAIT', msg: '请求超时，请重试' },
}
const malformed: ErrorResponse = { status: 400, code: 'VALIDATION_FAILED', msg: '请求格式不正确' }

/** Answers malformed or incomplete HTTP requests, which never reach a route or hook of the framework. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, code, msg } = errorResponses[error.code ?? ''] ?? malformed
  const body = JSON.stringify({ success: false, msg, data: null, code })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    `x-request-id: ${randomUUID()}`,
    'connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}
