import type { UserInfo } from '@/contract/types'
import type { Storage } from '@/platform/storage/port'
import { isRecordId } from './reduce'
import {
  type AppState,
  type ClientPlatform,
  clientPlatforms,
  emptySession,
  initialApp,
  type Session,
  textSizes,
} from './state'

export const SESSION_KEY = 'session'
export const APP_KEY = 'app'

type Plain = Record<string, unknown>

/** Version of the shape of stored data (CONTRIBUTING, "Change persisted state"). */
const VERSION = 1

/** Longer texts are rejected: tokens, ids and paths are shorter. */
const MAX_TEXT = 4096

export const isPlain = (v: unknown): v is Plain => typeof v === 'object' && v !== null && !Array.isArray(v)
const text = (v: unknown) => (typeof v === 'string' && v !== '' && v.length <= MAX_TEXT ? v : undefined)
/** Sent in a header: must be printable ASCII, or every call would fail. */
const headerText = (v: unknown) => (typeof v === 'string' && /^[\x21-\x7e]{1,256}$/.test(v) ? v : undefined)
/** Traffic source from a link, which is untrusted input; limited because it is sent with every call. */
export const sourceTag = (v: unknown) => (typeof v === 'string' && v !== '' && v.length <= 128 ? v : undefined)
const flag = (v: unknown, otherwise: boolean) => (typeof v === 'boolean' ? v : otherwise)
const oneOf = <T extends string>(all: readonly T[], v: unknown) => all.find((known) => known === v)

function record<T>(v: unknown, good: (item: unknown) => item is T): Record<string, T> {
  const out: Record<string, T> = {}
  if (isPlain(v)) for (const [key, item] of Object.entries(v)) if (key !== '__proto__' && good(item)) out[key] = item
  return out
}
const isText = (v: unknown): v is string => text(v) !== undefined
const isTime = (v: unknown): v is number => typeof v === 'number' && Number.isFinite(v)

/** Parameters for paying, as the iOS app hands them over: JSON of a few short texts. */
export function payParams(json: string | undefined): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(json ?? '')
    const found = record(value, isText)
    const few = Object.keys(found).length > 0 && Object.keys(found).length <= 20
    return few ? found : undefined
  } catch {
    return undefined
  }
}

const userInfoKinds = {
  userId: 'string',
  nickname: 'string',
  avatar: 'string',
  mobileMasked: 'string',
  hasPassword: 'boolean',
  wxBound: 'boolean',
  unread: 'number',
  couponCount: 'number',
} as const

/** Valid as a whole or discarded: it is refreshed from the server anyway. */
function userInfo(v: unknown): UserInfo | undefined {
  if (!isPlain(v) || !isPlain(v.realName) || !isText(v.realName.status) || !isPlain(v.settings)) return undefined
  const good = Object.entries(userInfoKinds).every(([key, kind]) => typeof v[key] === kind)
  return good ? (v as UserInfo) : undefined
}

/** Parses stored data; undefined for anything invalid. */
function parseVersioned(stored: string | undefined): Plain | undefined {
  if (stored === undefined) return undefined
  try {
    const box: unknown = JSON.parse(stored)
    if (!isPlain(box) || !isPlain(box.data) || !Number.isInteger(box.version)) return undefined
    // data of a newer version (an older app after a roll-back) is read field by field like our own
    return Number(box.version) < VERSION ? undefined : box.data
  } catch {
    return undefined
  }
}

const serialise = (data: object) => JSON.stringify({ version: VERSION, data })

/** Never throws; each field that is missing or of the wrong kind gets its default. */
export function readSession(storage: Storage): Session {
  const d = parseVersioned(storage.get(SESSION_KEY)) ?? {}
  const token = headerText(d.token)
  // without a token no user data may be shown
  if (!token) return emptySession
  return {
    token,
    userId: headerText(d.userId),
    newUser: flag(d.newUser, false),
    userInfo: userInfo(d.userInfo),
    iosUserPayParams: isPlain(d.iosUserPayParams) ? record(d.iosUserPayParams, isText) : undefined,
  }
}

export function readApp(storage: Storage, platform: ClientPlatform): AppState {
  const d = parseVersioned(storage.get(APP_KEY)) ?? {}
  const initial = initialApp(platform)
  return {
    isFirstTimeLaunch: flag(d.isFirstTimeLaunch, initial.isFirstTimeLaunch),
    channelCode: sourceTag(d.channelCode),
    bd_vid: sourceTag(d.bd_vid),
    reportUnlockRecordId: isRecordId(d.reportUnlockRecordId) ? d.reportUnlockRecordId : undefined,
    popupState: record(d.popupState, isTime),
    platform: oneOf(clientPlatforms, d.platform) ?? initial.platform,
    lastFromPath: text(d.lastFromPath),
    reportTipKeys: Array.isArray(d.reportTipKeys) ? d.reportTipKeys.filter(isText) : [],
    iosDefaultImage: text(d.iosDefaultImage),
    shareDefaultImage: text(d.shareDefaultImage),
    moduleShownDay: text(d.moduleShownDay),
    textSize: oneOf(textSizes, d.textSize) ?? initial.textSize,
    reduceMotion: flag(d.reduceMotion, initial.reduceMotion),
  }
}

export function writeSession(storage: Storage, session: Session) {
  if (session.token) storage.set(SESSION_KEY, serialise(session))
  else storage.remove(SESSION_KEY)
}

export const writeApp = (storage: Storage, app: AppState) => void storage.set(APP_KEY, serialise(app))
