/**
 * AWS Signature Version 4 in the two forms needed here, which avoids the SDK: browser uploads by POST (the form
 * contains the policy, whose HMAC authenticates it) and presigned URLs.
 */
import { createHash, createHmac } from 'node:crypto'
import { isEqualInConstantTime } from '../../constant-time'

export interface Signer {
  accessKeyId: string
  secretAccessKey: string
  region: string
}

type Condition = Record<string, string> | [string, string | number, string | number]
interface Policy {
  expiration: string
  conditions: Condition[]
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Hex signature of a text (of a form: its policy in base64). `day` is yyyymmdd in UTC. */
export function signText(text: string, { secretAccessKey, region }: Signer, day: string): string {
  const signing = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  return hmac(signing, text).toString('hex')
}

const dateOf = (now: number) => new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
const scopeOf = (day: string, region: string) => `${day}/${region}/s3/aws4_request`
/** Percent-encodes all but RFC 3986's unreserved characters, as Signature Version 4 demands. */
export const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

interface Presign {
  method: 'GET' | 'DELETE' | 'PUT'
  /** real time: the storage checks it against its own clock */
  now: number
  /** seconds */
  expires: number
  query?: Record<string, string>
}

/** A presigned URL. */
export function presign(address: string, signer: Signer, { method, now, expires, query = {} }: Presign): string {
  const url = new URL(address)
  const date = dateOf(now)
  const scope = scopeOf(date.slice(0, 8), signer.region)
  const params = Object.entries({
    ...query,
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${signer.accessKeyId}/${scope}`,
    'X-Amz-Date': date,
    'X-Amz-Expires': String(expires),
    'X-Amz-SignedHeaders': 'host',
  })
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const canonical = [method, url.pathname, params, `host:${url.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const signature = signText([ALGORITHM, date, scope, digest].join('\n'), signer, date.slice(0, 8))
  return `${url.origin}${url.pathname}?${params}&X-Amz-Signature=${signature}`
}

/** Form fields of an upload that expires at `expireAt` (ms), with the given conditions and those of the signature. */
export function signedForm(
  signer: Signer,
  conditions: readonly Condition[],
  { now, expireAt }: { now: number; expireAt: number },
): Record<string, string> {
  const date = dateOf(now)
  const day = date.slice(0, 8)
  const fields = {
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${signer.accessKeyId}/${scopeOf(day, signer.region)}`,
    'X-Amz-Date': date,
  }
  const own = Object.entries(fields).map(([name, value]) => ({ [name]: value }))
  const policy: Policy = { expiration: new Date(expireAt).toISOString(), conditions: [...conditions, ...own] }
  const text = Buffer.from(JSON.stringify(policy)).toString('base64')
  return { ...fields, Policy: text, 'X-Amz-Signature': signText(text, signer, day) }
}

/** Whether the policy of this form has our signature. */
function isOurs(form: ReadonlyMap<string, string>, signer: Signer): boolean {
  const [accessKeyId, day = '', region, service, end, ...more] = (form.get('x-amz-credential') ?? '').split('/')
  if (form.get('x-amz-algorithm') !== ALGORITHM || more.length > 0 || service !== 's3' || end !== 'aws4_request')
    return false
  if (accessKeyId !== signer.accessKeyId || region !== signer.region) return false
  return isEqualInConstantTime(form.get('x-amz-signature') ?? '', signText(form.get('policy') ?? '', signer, day))
}

/** Fields allowed without a condition. */
const free = /^(policy|x-amz-signature|file|x-ignore-.*)$/

/** Whether the form meets a condition; size conditions are checked with the file. */
function holds(condition: Condition, form: ReadonlyMap<string, string>): boolean {
  if (!Array.isArray(condition))
    return Object.entries(condition).every(([name, value]) => form.get(name.toLowerCase()) === value)
  const [kind, name, value] = condition
  if (kind === 'content-length-range') return true
  const given = form.get(String(name).slice(1).toLowerCase())
  return (
    given !== undefined && (kind === 'eq' ? given === value : kind === 'starts-with' && given.startsWith(String(value)))
  )
}

const namesOf = (condition: Condition): string[] =>
  Array.isArray(condition)
    ? [String(condition[1]).replace(/^\$/, '').toLowerCase()]
    : Object.keys(condition).map((name) => name.toLowerCase())

/**
 * Checks a posted form as S3 does: signature, expiry, every condition, and no field that the policy does not name.
 * @param form fields before the file, names in lower case
 * @returns maximum bytes of the file, or undefined if the form is refused
 */
export function verifyPostPolicy(
  form: ReadonlyMap<string, string>,
  signer: Signer,
  now: number,
): { min: number; max: number } | undefined {
  if (!isOurs(form, signer)) return undefined
  const { expiration, conditions } = JSON.parse(Buffer.from(form.get('policy') ?? '', 'base64').toString()) as Policy
  if (!(Date.parse(expiration) > now) || !conditions.every((c) => holds(c, form))) return undefined
  const named = new Set(conditions.flatMap(namesOf))
  if ([...form.keys()].some((name) => !free.test(name) && !named.has(name))) return undefined
  const range = conditions.find((c) => Array.isArray(c) && c[0] === 'content-length-range')
  return Array.isArray(range) ? { min: Number(range[1]), max: Number(range[2]) } : undefined
}
