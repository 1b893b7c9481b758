import type { Answer, Answers, Mode } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import { storage as realStorage } from '@/platform/storage'
import type { Storage } from '@/platform/storage/port'
import { DRAFTS_KEY, draftKeyPrefix } from './draftKeys'
import { isPlain } from './persist'

/** Origin of prefilled answers: a collection, screenshots, a pasted listing, the last report, or the quick estimate. */
export type AnswerOrigin = 'READ' | 'SCREENSHOT' | 'PASTED' | 'LAST' | 'QUICK'

/** Prefilled answers. A different current answer is the user's correction. */
export type PrefilledAnswers = Record<string, { from: AnswerOrigin; answer: Answer } | undefined>

export interface DraftListing {
  askFen: number
  agreed: boolean
}

/** Screenshots from which a form was filled in, and the task that read them. */
export interface DraftShots {
  taskId: string
  keys: string[]
}

/** An unfinished form on this device. */
export interface Draft {
  gameId: string
  gameName: string
  mode: Mode
  /** version of the form it was filled with */
  schemaVersion: number
  answers: Answers
  /** field key → label when saved, to name fields that a newer form no longer has */
  labels: Record<string, string>
  filled: PrefilledAnswers
  /** task of the collection; sent with the submission */
  taskId?: string
  shots?: DraftShots
  /** asking price of the pasted listing, and whether its owner agrees that it is used for the market */
  listing?: DraftListing
  /** idempotency key of the submission */
  requestId: string
  /** progress when it was saved */
  done: number
  total: number
  /** ms */
  savedAt: number
}

/** ms an unfinished form is kept */
export const DRAFT_LIFETIME_MS = 30 * DAY_MS
/** `schemaVersion` of a draft created before its form was opened */
export const UNKNOWN_SCHEMA_VERSION = 0

const keyOf = (owner: string | undefined, gameId: string, mode: Mode) => `${draftKeyPrefix(owner)}${gameId}:${mode}`

/** JSON that may be damaged. */
export function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const origins: readonly unknown[] = ['READ', 'SCREENSHOT', 'PASTED', 'LAST', 'QUICK'] satisfies AnswerOrigin[]

function filledOf(v: unknown): PrefilledAnswers {
  const good = Object.entries(isPlain(v) ? v : {}).filter(
    ([, entry]) => isPlain(entry) && origins.includes(entry.from) && entry.answer !== undefined,
  )
  return Object.fromEntries(good) as PrefilledAnswers
}

function listingOf(v: unknown): DraftListing | undefined {
  return isPlain(v) && Number.isSafeInteger(v.askFen)
    ? { askFen: v.askFen as number, agreed: v.agreed === true }
    : undefined
}

function shotsOf(v: unknown): DraftShots | undefined {
  if (!isPlain(v) || typeof v.taskId !== 'string' || !Array.isArray(v.keys)) return undefined
  return { taskId: v.taskId, keys: v.keys.filter((key) => typeof key === 'string') }
}

/** Parses a stored draft, which may be damaged. */
function toDraft(v: unknown): Draft | undefined {
  if (!isDraft(v)) return undefined
  return {
    ...v,
    filled: filledOf(v.filled),
    taskId: typeof v.taskId === 'string' ? v.taskId : undefined,
    shots: shotsOf(v.shots),
    listing: listingOf(v.listing),
  }
}

function isDraft(v: unknown): v is Draft {
  return (
    isPlain(v) &&
    typeof v.gameId === 'string' &&
    typeof v.gameName === 'string' &&
    typeof v.requestId === 'string' &&
    (v.mode === 'AI' || v.mode === 'MANUAL') &&
    [v.schemaVersion, v.done, v.total, v.savedAt].every((n) => typeof n === 'number' && Number.isFinite(n)) &&
    isPlain(v.answers) &&
    isPlain(v.labels)
  )
}

/**
 * Drafts by owner, game and mode. A user who logs in takes over what was filled before the login; a draft of another
 * user is never read. Never throws.
 */
export function createDrafts(storage: Storage, now: () => number) {
  /** The draft under `key`; undefined if it is damaged or expired. */
  function read(key: string): Draft | undefined {
    const draft = toDraft(parse(storage.get(key)))
    return draft && now() - draft.savedAt < DRAFT_LIFETIME_MS ? draft : undefined
  }

  /** Keys of drafts; removes expired ones. */
  function keys(): string[] {
    const index = parse(storage.get(DRAFTS_KEY))
    const listed = Array.isArray(index)
      ? index.filter((k): k is string => typeof k === 'string' && k.startsWith('draft:'))
      : []
    const alive = listed.filter((k) => read(k) !== undefined)
    if (alive.length < listed.length) {
      for (const k of listed) if (!alive.includes(k)) storage.remove(k)
      storage.set(DRAFTS_KEY, JSON.stringify(alive))
    }
    return alive
  }

  /** @returns whether the draft outlives this visit */
  function write(key: string, draft: Draft): boolean {
    const stored = storage.set(key, JSON.stringify(draft))
    const listed = keys()
    if (!listed.includes(key)) storage.set(DRAFTS_KEY, JSON.stringify([...listed, key]))
    return stored
  }

  function drop(key: string) {
    storage.remove(key)
    keys()
  }

  function adopt(owner: string | undefined) {
    if (owner === undefined) return
    for (const key of keys().filter((k) => k.startsWith(draftKeyPrefix(undefined)))) {
      const draft = read(key)
      if (!draft) continue
      const own = keyOf(owner, draft.gameId, draft.mode)
      const before = read(own)
      // a quick estimate adds its few answers to a form begun earlier
      if (before && draft.schemaVersion === UNKNOWN_SCHEMA_VERSION)
        write(own, {
          ...before,
          answers: { ...before.answers, ...draft.answers },
          filled: { ...before.filled, ...draft.filled },
          savedAt: draft.savedAt,
        })
      else if (draft.savedAt >= (before?.savedAt ?? 0)) write(own, draft)
      drop(key)
    }
  }

  return {
    /** `owner` is the user's id, undefined while nobody is logged in. */
    load(owner: string | undefined, gameId: string, mode: Mode): Draft | undefined {
      adopt(owner)
      return read(keyOf(owner, gameId, mode))
    },
    /** @returns whether the draft outlives this visit */
    save: (owner: string | undefined, draft: Draft) => write(keyOf(owner, draft.gameId, draft.mode), draft),
    /** Removes the drafts of all users. */
    clear() {
      for (const key of keys()) storage.remove(key)
      storage.remove(DRAFTS_KEY)
    },
    remove(owner: string | undefined, gameId: string, mode: Mode) {
      drop(keyOf(owner, gameId, mode))
    },
    /** The most recent draft. */
    latest(owner: string | undefined): Draft | undefined {
      adopt(owner)
      return keys()
        .filter((k) => k.startsWith(draftKeyPrefix(owner)))
        .flatMap((k) => read(k) ?? [])
        .sort((a, b) => b.savedAt - a.savedAt)[0]
    },
  }
}

export type Drafts = ReturnType<typeof createDrafts>

export const drafts = createDrafts(realStorage, Date.now)
