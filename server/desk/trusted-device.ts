import type { FastifyReply, FastifyRequest } from 'fastify'
import { DAY_MS } from '@/contract/time'
import type { Deps } from '../context'
import { newToken } from '../domains/shared/secrets'
import { loginName } from '../domains/staff/accounts'
import { cookieOf, secureOf } from './auth'

/**
 * A browser that somebody signed in with keeps a sealed note of the name. It opens nothing: only tries from there are
 * counted apart, so that strangers who guess a name out of the desk cannot keep its owner out.
 */
const COOKIE = 'desk-known'
const USE = 'desk-known'
/** ms such a note is believed */
const KNOWN_FOR = 180 * DAY_MS

interface Known {
  name: string
  id: string
  at: number
}

/** Id of the device when `name` signed in on it before. */
export function knownDevice(
  { encryption, clock }: Pick<Deps, 'encryption' | 'clock'>,
  req: FastifyRequest,
  name: string,
) {
  try {
    const known: Known = JSON.parse(encryption.open(cookieOf(req, COOKIE), USE))
    return known.name === loginName(name) && clock.now() - known.at < KNOWN_FOR ? known.id : undefined
  } catch {
    return undefined
  }
}

/** After a right password: the device keeps its id, so that signing in gives no fresh tries to anybody else. */
export function rememberDevice(
  { encryption, clock, settings }: Pick<Deps, 'encryption' | 'clock' | 'settings'>,
  { req, reply }: { req: FastifyRequest; reply: FastifyReply },
  { name, id = newToken() }: { name: string; id?: string | undefined },
) {
  const sealed = encryption.seal(JSON.stringify({ name: loginName(name), id, at: clock.now() } satisfies Known), USE)
  const rest = `Path=/desk/login; Max-Age=${KNOWN_FOR / 1000}; HttpOnly; SameSite=Strict${secureOf(req, settings)}`
  reply.header('set-cookie', `${COOKIE}=${sealed}; ${rest}`)
}
