import type { FastifyReply, FastifyRequest } from 'fastify'
import { DAY_MS } from '@/contract/time'
import type { Deps } from '../core/context'
import { newToken } from '../domains/shared/secrets'
import { loginName } from '../domains/staff/accounts'
import { cookieOf, secureAttribute } from './auth'

/**
 * An encrypted cookie names a login that has signed in from this browser. It grants no access: password attempts from it
 * are counted separately, so that strangers guessing passwords for a name cannot lock its owner out.
 */
const COOKIE = 'desk-known'
const USE = 'desk-known'
/** ms the cookie is valid */
const TRUSTED_FOR = 180 * DAY_MS

interface DeviceToken {
  name: string
  id: string
  at: number
}

/** Device id, if `name` has signed in on this device before. */
export function isTrustedDevice(
  { encryption, clock }: Pick<Deps, 'encryption' | 'clock'>,
  req: FastifyRequest,
  name: string,
) {
  try {
    const token: DeviceToken = JSON.parse(encryption.decrypt(cookieOf(req, COOKIE), USE))
    return token.name === loginName(name) && clock.now() - token.at < TRUSTED_FOR ? token.id : undefined
  } catch {
    return undefined
  }
}

/** Called after a correct password. The device keeps its id, so that signing in gives nobody fresh attempts. */
export function rememberDevice(
  { encryption, clock, settings }: Pick<Deps, 'encryption' | 'clock' | 'settings'>,
  { req, reply }: { req: FastifyRequest; reply: FastifyReply },
  { name, id = newToken() }: { name: string; id?: string | undefined },
) {
  const encrypted = encryption.encrypt(
    JSON.stringify({ name: loginName(name), id, at: clock.now() } satisfies DeviceToken),
    USE,
  )
  const rest = `Path=/desk/login; Max-Age=${TRUSTED_FOR / 1000}; HttpOnly; SameSite=Strict${secureAttribute(req, settings)}`
  reply.header('set-cookie', `${COOKIE}=${encrypted}; ${rest}`)
}
