import { readFileSync } from 'node:fs'
import path from 'node:path'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../app-error'
import type { Deps } from '../context'
import { sha256 } from '../domains/shared/secrets'
import { DESK_SESSION, type DeskStaff, staffOf } from '../domains/staff/sessions'
import { fileOf, partsOf } from '../http/plugins/multipart'
import { depsOf, type Lifecycle } from '../lifecycle'
import { MAX_SIZE } from '../providers/storage/port'
import type { Settings } from '../settings'

const COOKIE = 'desk'

export type Fields = Record<string, string>

/** One request of somebody who is signed in. */
export interface Visit {
  deps: Deps
  /** sent with the form; empty when none was chosen */
  picture?: Buffer | undefined
  staff: DeskStaff
  csrf: string
  /** the cookie's */
  token: string
  now: number
}

/** `name=value; name=value` → the value, or nothing. */
export function cookieOf({ headers }: FastifyRequest, name: string): string {
  const parts = (headers.cookie ?? '').split(';').map((part) => part.trim())
  return parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}

/** The token of the desk's login. */
export const tokenOf = (req: FastifyRequest): string => cookieOf(req, COOKIE)

/** Nobody without the cookie can know it, and the cookie cannot be known from it. */
export const csrfOf = (token: string): string => sha256(`desk-form:${token}`).slice(0, 32)

/** What cookies end with: over https they never travel otherwise. */
export const secureOf = (req: FastifyRequest, { production }: Settings): string =>
  production || req.protocol === 'https' ? '; Secure' : ''

/** Sets the login's cookie; an empty token takes it away. */
export function setCookie(req: FastifyRequest, reply: FastifyReply, settings: Settings, token: string) {
  const age = token === '' ? 0 : DESK_SESSION / 1000
  reply.header(
    'set-cookie',
    `${COOKIE}=${token}; Path=/desk; Max-Age=${age}; HttpOnly; SameSite=Strict${secureOf(req, settings)}`,
  )
}

/** A form of another site is refused by where it says it comes from; browsers always say it. @throws AppError */
export function checkOrigin(req: FastifyRequest, { publicUrl }: Settings): void {
  const { origin } = req.headers
  if (origin === undefined) return
  // only the host counts: a proxy in front may speak https where we hear http
  const own = [`http://${req.host}`, `https://${req.host}`, publicUrl ?? '']
  const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : '')
  if (hostOf(origin) === '' || !own.map(hostOf).includes(hostOf(origin))) throw new AppError('ILLEGAL_REQUEST')
}

/** A form with a picture: its fields become the body as of any other form. Only for who is signed in. */
async function readParts(req: FastifyRequest): Promise<Buffer | undefined> {
  const fields: Fields = {}
  let picture: Buffer | undefined
  for await (const part of partsOf(req)) {
    if (part.type === 'file') picture = Buffer.concat(await fileOf(part).toArray())
    else fields[part.fieldname] = part.value.replaceAll('\0', '')
  }
  req.body = fields
  return picture?.length === 0 ? undefined : picture
}

/** Who it is, and for a form that it is ours. Undefined: nobody is signed in. @throws AppError ILLEGAL_REQUEST */
export async function visitOf(lifecycle: Lifecycle, req: FastifyRequest): Promise<Visit | undefined> {
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

/** The form that was sent: text only, the last of each name. */
export const fieldsOf = ({ body }: FastifyRequest): Fields => (body ?? {}) as Fields

const assets = [
  ['desk.css', 'text/css; charset=utf-8'],
  ['desk.js', 'text/javascript; charset=utf-8'],
] as const

/** Headers, form parsers and the two files of every page. */
export async function registerDoor(app: FastifyInstance, { s3 }: Settings): Promise<void> {
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
    // same-origin: with no-referrer browsers call the origin of a form "null"
    reply
      .header('content-security-policy', csp)
      .header('referrer-policy', 'same-origin')
      .header('x-frame-options', 'DENY')
      .header('cache-control', 'no-store')
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_req, body, done) => {
    // no database column takes NUL, and nobody sees it in what was pasted
    const fields = [...new URLSearchParams(String(body))].map(([name, text]) => [name, text.replaceAll('\0', '')])
    done(null, Object.fromEntries(fields))
  })
  // one byte too many, so that the storage can say so
  const limits = { fields: 20, fieldSize: 8 * 1024, files: 1, parts: 21, fileSize: MAX_SIZE + 1 }
  await app.register(multipart, { limits, throwFileSizeLimit: false })
  for (const [name, type] of assets) {
    const text = readFileSync(path.join(__dirname, 'assets', name), 'utf8')
    app.get(`/desk/${name}`, { schema: { hide: true }, exposeHeadRoute: true }, (_req, reply) =>
      reply.type(type).header('cache-control', 'no-cache').send(text),
    )
  }
}
