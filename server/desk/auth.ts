import { readFileSync } from 'node:fs'
import path from 'node:path'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cleanProse } from '@/contract/cleanText'
import { AppError } from '../core/app-error'
import type { Deps } from '../core/context'
import { depsOf, type Lifecycle } from '../core/lifecycle'
import type { Db } from '../db/database'
import { sha256 } from '../domains/shared/secrets'
import { type DeskEntry, logDesk } from '../domains/staff/log'
import { DESK_SESSION, type DeskStaff, staffOf } from '../domains/staff/sessions'
import { fileOf, partsOf } from '../http/plugins/multipart'
import { MAX_SIZE } from '../providers/storage/port'
import type { Settings } from '../settings'

const COOKIE = 'desk'

export type Fields = Record<string, string>

/** One request of a signed-in member of the staff. */
export interface DeskContext {
  deps: Deps
  /** sent with the form; empty when no file was chosen */
  picture?: Buffer | undefined
  staff: DeskStaff
  csrf: string
  /** session token from the cookie */
  token: string
  now: number
}

/**
 * Makes a change in one transaction with its line in the desk's log.
 * @param change returns what the line says; undefined: nothing changed, and nothing is logged
 */
export const logged = (
  { deps, staff: { staffId }, now }: DeskContext,
  change: (tx: Db) => Promise<DeskEntry | undefined>,
): Promise<void> =>
  deps.db.transaction().execute(async (tx) => {
    const entry = await change(tx)
    if (entry) await logDesk(tx, { ...entry, staffId, now })
  })

/** The session token of the cookie, or nothing. The plugin @fastify/cookie 11 requires Node 22. */
export function tokenOf({ headers }: FastifyRequest): string {
  const parts = (headers.cookie ?? '').split(';').map((part) => part.trim())
  return parts.find((part) => part.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? ''
}

/** CSRF token derived from the session token: not computable without the cookie, and does not reveal it. */
const csrfOf = (token: string): string => sha256(`desk-form:${token}`).slice(0, 32)

/** Sets the session cookie; an empty token clears it. */
export function setCookie(req: FastifyRequest, reply: FastifyReply, settings: Settings, token: string) {
  const age = token === '' ? 0 : DESK_SESSION / 1000
  const secure = settings.production || req.protocol === 'https' ? '; Secure' : ''
  reply.header('set-cookie', `${COOKIE}=${token}; Path=/desk; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`)
}

/** Rejects a form whose Origin is another site; browsers always send the header. @throws AppError */
export function checkOrigin(req: FastifyRequest, { publicUrl }: Settings): void {
  const { origin } = req.headers
  if (origin === undefined) return
  // compare hosts only: a reverse proxy may terminate https while we see http
  const own = [`http://${req.host}`, `https://${req.host}`, publicUrl ?? '']
  const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : '')
  if (hostOf(origin) === '' || !own.map(hostOf).includes(hostOf(origin))) throw new AppError('ILLEGAL_REQUEST')
}

/** A field without invisible characters, and without NUL, which no text column of the database accepts. */
const typedText = (text: string): string => cleanProse(text).replaceAll('\0', '')

/** Parses a multipart form with a picture into a body like that of any other form. Only for signed-in staff. */
async function readParts(req: FastifyRequest): Promise<Buffer | undefined> {
  const fields: Fields = {}
  let picture: Buffer | undefined
  for await (const part of partsOf(req)) {
    if (part.type === 'file') picture = Buffer.concat(await fileOf(part).toArray())
    else fields[part.fieldname] = typedText(part.value)
  }
  req.body = fields
  return picture?.length === 0 ? undefined : picture
}

/** The signed-in member, after the CSRF check of a form; undefined if signed out. @throws AppError ILLEGAL_REQUEST */
export async function deskContextOf(lifecycle: Lifecycle, req: FastifyRequest): Promise<DeskContext | undefined> {
  const deps = depsOf(lifecycle)
  const token = tokenOf(req)
  const staff = await staffOf(deps, token)
  if (!staff) return undefined
  const csrf = csrfOf(token)
  let picture: Buffer | undefined
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    checkOrigin(req, deps.settings)
    if (req.isMultipart()) picture = await readParts(req)
    if (fieldsOf(req).csrf !== csrf) throw new AppError('ILLEGAL_REQUEST', { msg: '页面已过期，请返回后重试' })
  }
  return { deps, staff, csrf, token, picture, now: deps.clock.now() }
}

/** The submitted form: text values only, the last one of each name. */
export const fieldsOf = ({ body }: FastifyRequest): Fields => (body ?? {}) as Fields

const assets = [
  ['desk.css', 'text/css; charset=utf-8'],
  ['desk.js', 'text/javascript; charset=utf-8'],
] as const

/** Registers headers, form parsers and the two assets of every page. */
export async function registerDeskSecurity(app: FastifyInstance, { s3 }: Settings): Promise<void> {
  const csp = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    `img-src 'self' data: ${s3 ? new URL(s3.endpoint).origin : ''}`.trim(),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
  app.addHook('onRequest', (_req, reply, done) => {
    // same-origin: with no-referrer browsers send `Origin: null` for forms
    reply
      .header('content-security-policy', csp)
      .header('referrer-policy', 'same-origin')
      .header('x-frame-options', 'DENY')
      .header('cache-control', 'no-store')
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_req, body, done) => {
    const fields = [...new URLSearchParams(String(body))].map(([name, text]) => [name, typedText(text)])
    done(null, Object.fromEntries(fields))
  })
  // one byte above the limit, so that the storage reports the excess
  const limits = { fields: 20, fieldSize: 8 * 1024, files: 1, parts: 21, fileSize: MAX_SIZE + 1 }
  await app.register(multipart, { limits, throwFileSizeLimit: false })
  for (const [name, type] of assets) {
    const text = readFileSync(path.join(__dirname, 'assets', name), 'utf8')
    app.get(`/desk/${name}`, { schema: { hide: true }, exposeHeadRoute: true }, (_req, reply) =>
      reply.type(type).header('cache-control', 'no-cache').send(text),
    )
  }
}
