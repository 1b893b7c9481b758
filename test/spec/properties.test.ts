/** Properties that hold for every input, not only for the examples of the sections. */
import fc from 'fast-check'
import { createApi } from '@/api'
import { createClient } from '@/api/client'
import type { Credentials } from '@/api/deps'
import { ApiError } from '@/api/error'
import { prepareRequest } from '@/api/prepareRequest'
import type { UserInfo } from '@/contract/types'
import { type AbortableSignal, createAbortableSignal } from '@/lib/abortableSignal'
import { type CapturedRequest, fakeTransport } from '@/platform/transport/fake'
import { NetFailure } from '@/platform/transport/port'
import { decide, matchUrl } from '@/router/guard'
import { safeReturn } from '@/router/loginReturn'
import { buildUrl, readParams, splitQuery } from '@/router/params'
import { type RouteName, routes } from '@/router/routes'
import { reduce, type SessionEvent } from '@/session/reduce'
import { initialApp, type State } from '@/session/state'

const get = { method: 'GET', path: '/p', access: 'open' } as const
const post = { method: 'POST', path: '/p', access: 'open' } as const

/** Any UTF-16 code unit, including lone surrogates and control characters. */
const anyText = fc.string({ unit: 'binary', maxLength: 40 })
const nasty = fc.constantFrom(
  '',
  ' ',
  '&',
  '=',
  'a&b=c',
  '%',
  '%25',
  '%E4',
  '+',
  '?#/',
  '\u0000',
  '\ud83d',
  '\ude00',
  '😀',
  '__proto__',
  'constructor',
  '<img src=x onerror=alert(1)>',
  "'; drop table users; --",
  '../../etc/passwd',
  'javascript:alert(1)',
  '//evil.example',
)
const text = fc.oneof(anyText, nasty)
const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined), fc.array(text))
/** Keys come from the contract, so they are well-formed text. */
const key = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  nasty.filter((s) => !/[\ud800-\udfff]/.test(s)),
)
const params = fc.dictionary(key, value, { maxKeys: 8, noNullPrototype: true })

describe('canonicalisation', () => {
  it('the query that the server decodes is exactly the signed one', () => {
    fc.assert(
      fc.property(params, (given) => {
        const { path, canonical } = prepareRequest(get, given)
        const query = path.split('?')[1] ?? ''
        // decoded as by any server
        const pairs = query === '' ? [] : query.split('&').map((pair) => pair.split('=').map(decodeURIComponent))
        expect(pairs.map(([key, v]) => `${key}=${v}`).join('&')).toBe(canonical)
        // no part of a value may become a key, a path or a fragment
        expect(path).toMatch(/^\/p(\?[^?#/]*)?$/)
        expect(pairs.every((pair) => pair.length === 2)).toBe(true)
      }),
    )
  })

  it('keys are sorted by code unit and appear once', () => {
    fc.assert(
      fc.property(params, (given) => {
        const names = prepareRequest(get, given)
          .path.split('?')[1]
          ?.split('&')
          .map((pair) => decodeURIComponent(pair.split('=')[0] ?? ''))
        expect(names ?? []).toEqual([...new Set(names)].sort())
      }),
    )
  })

  it('a body is signed as it is sent and unchanged after parsing', () => {
    fc.assert(
      fc.property(fc.dictionary(text, fc.jsonValue(), { noNullPrototype: true }), (given) => {
        const { body, canonical } = prepareRequest(post, given)
        expect(canonical).toBe(body)
        expect(JSON.parse(body ?? '')).toEqual(JSON.parse(JSON.stringify(given)))
      }),
    )
  })
})

describe('parameters', () => {
  const names = Object.keys(routes) as RouteName[]
  const declared = (name: RouteName): readonly string[] => (routes[name] as { params?: string[] }).params ?? []

  it('arrive unchanged through guard, login and return', () => {
    const whole = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    const hostile = nasty.filter((s) => s !== '' && !/[\ud800-\udfff]/.test(s))
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.oneof(whole, hostile), (name, given) => {
        const values = Object.fromEntries(declared(name).map((key) => [key, given]))
        const url = buildUrl(name, values as never)
        const decision = decide(url, { loggedIn: false })
        const back = decision.kind === 'login' ? decision.back : url
        // into the login page's own address and out again
        const carried = splitQuery(buildUrl('loginH5', { redirect: back }).split('?')[1] ?? '')
        const { redirect } = readParams('loginH5', carried)
        expect(redirect).toBe(back)
        const home = safeReturn(redirect) ?? back
        expect(readParams(name, splitQuery(home.split('?')[1] ?? ''))).toEqual(values)
      }),
    )
  })

  it('of any URL never lead outside the app, never throw, never add an undeclared key', () => {
    const address = fc.oneof(
      text,
      fc.tuple(fc.constantFrom(...names), text).map(([name, junk]) => `/${routes[name].path}?${junk}`),
      fc.tuple(fc.constantFrom(...names), text, text).map(([name, k, v]) => `/${routes[name].path}?${k}=${v}&${k}=1`),
    )
    fc.assert(
      fc.property(address, (url) => {
        const match = matchUrl(url)
        const back = safeReturn(url)
        if (back !== undefined) expect(back.startsWith(`/${routes[match?.name ?? 'home'].path}`)).toBe(true)
        if (!match) return
        const read = readParams(match.name, splitQuery(match.url.split('?')[1] ?? ''))
        for (const key of Object.keys(read)) expect(declared(match.name)).toContain(key)
        // an address in its canonical form stays what it is
        expect(matchUrl(match.url)).toEqual(match)
      }),
    )
  })

  it('with a lone surrogate lose only that', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const { orderId = '' } = readParams(
          'report',
          splitQuery(buildUrl('report', { orderId: given }).split('?')[1] ?? ''),
        )
        // its UTF-8 encoding
        expect(orderId).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(given)))
      }),
    )
  })
})

/** One request in flight in the test's model. */
interface Wire {
  key: string
  who: string
  startedAt: number
  state: 'running' | 'good' | 'bad' | 'left'
  /** A read that began before a change ended; it is not reused. */
  outdated: boolean
  readers: Set<AbortableSignal>
}

type Step =
  | { do: 'ask'; call: 0 | 1 | 2; gets: string }
  | { do: 'become'; who: 0 | 1 | 2 | 3 }
  | { do: 'answer'; pick: number; good: boolean }
  | { do: 'leave'; pick: number }
  | { do: 'wait'; ms: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('ask' as const),
        call: fc.constantFrom(0, 1, 2),
        gets: fc.constantFrom('a', 'b'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('become' as const), who: fc.constantFrom(0, 1, 2, 3) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const), pick: fc.nat(9), good: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), pick: fc.nat(9) }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 50, 249, 299, 300, 301, 1_001) }),
    },
  ),
  { maxLength: 50, size: 'max' },
) as fc.Arbitrary<Step[]>

/** A guest, a user, the same user after another login, another user. */
const users: readonly Credentials[] = [
  {},
  { token: 'A', userId: '1' },
  { token: 'B', userId: '1' },
  { token: 'C', userId: '2' },
]

describe('sharing of calls under random interleavings', () => {
  /**
   * A reading GET, a reading POST and a POST that changes state; the second user never gets the first one's answers.
   */
  function setup() {
    let who: Credentials = users[0] ?? {}
    const { transport, caught } = fakeTransport()
    const api = createApi(
      createClient({
        base: '',
        secret: 's',
        transport,
        device: { platform: 'h5', os: () => 'other' },
        credentials: () => who,
        now: Date.now,
        random: Math.random,
        showError: () => undefined,
        promptRetry: () => ({ answer: Promise.resolve(false), close: () => undefined }),
      }).call,
    )
    const ask = (call: number, gets: string, signal: AbortableSignal): Promise<unknown> => {
      const options = { quiet: true, signal } as const
      if (call === 0) return api.evaluation.gameConfig({ gameId: gets, mode: 'AI' }, options)
      if (call === 1) return api.evaluation.hotGame({ limit: gets === 'a' ? 1 : 2 }, options)
      return api.evaluation.applyCancel({ orderId: gets, reason: 'x' } as never, options)
    }
    const become = (next: Credentials) => {
      who = next
    }
    return { ask, become, caught, me: () => `${who.userId ?? ''}/${who.token ?? ''}` }
  }

  /** Runs everything that does not depend on timers, which is cheaper than advancing the fake clock. */
  async function turns() {
    for (let i = 0; i < 30; i++) await null
  }

  const isChange = ({ key }: Wire) => key.startsWith('2')

  async function replay(all: Step[]) {
    const t = setup()
    const wires: Wire[] = []
    const owner = (c: CapturedRequest | undefined) => `${c?.headers.userId ?? ''}/${c?.headers.Token ?? ''}`
    const waiting: { signal: AbortableSignal; wire: Wire }[] = []
    const wrong: unknown[] = []
    for (const s of all) {
      if (s.do === 'become') t.become(users[s.who] ?? {})
      if (s.do === 'wait') jest.advanceTimersByTime(s.ms)
      if (s.do === 'ask') {
        const key = `${s.call}${s.gets}`
        const known = wires.filter((w) => w.key === key && w.who === t.me()).at(-1)
        const usable =
          known !== undefined &&
          !known.outdated &&
          (known.state === 'running' ||
            ((known.state === 'good' || (known.state === 'bad' && s.call !== 2)) && Date.now() - known.startedAt < 300))
        const signal = createAbortableSignal()
        const asker = t.me()
        t.ask(s.call, s.gets, signal).then(
          (answer) => (answer as { for: string }).for === asker || wrong.push(answer),
          (e: unknown) => e instanceof ApiError || wrong.push(e),
        )
        const wire: Wire = usable
          ? known
          : { key, who: asker, startedAt: Date.now(), state: 'running', outdated: false, readers: new Set() }
        if (!usable) wires.push(wire)
        if (wire.state === 'running') {
          wire.readers.add(signal)
          waiting.push({ signal, wire })
        }
      }
      const running = wires.filter((w) => w.state === 'running')
      if (s.do === 'answer' && running.length > 0) {
        const wire = running[s.pick % running.length] as Wire
        const c = t.caught[wires.indexOf(wire)]
        if (s.good) c?.reply(200, { success: true, code: 'OK', msg: '', data: { for: wire.who } })
        else c?.fail(new NetFailure(5))
        wire.state = s.good ? 'good' : 'bad'
        if (s.good && isChange(wire)) for (const other of wires) other.outdated ||= !isChange(other)
      }
      const staying = waiting.filter(({ wire, signal }) => wire.state === 'running' && wire.readers.has(signal))
      if (s.do === 'leave' && staying.length > 0) {
        const { signal, wire } = staying[s.pick % staying.length] as (typeof staying)[number]
        signal.abort()
        wire.readers.delete(signal)
        // aborted when the last caller has left
        if (wire.readers.size === 0) wire.state = 'left'
      }
      if (s.do !== 'become') await turns()

      expect(wrong).toEqual([])
      // exactly the requests of the model went out, each with its own user's token
      expect(t.caught).toHaveLength(wires.length)
      expect(t.caught.map(owner)).toEqual(wires.map((w) => w.who))
      // never two equal ones in flight that may still be reused
      const flying = wires.filter((w) => w.state === 'running' && !w.outdated).map((w) => `${w.who} ${w.key}`)
      expect(new Set(flying).size).toBe(flying.length)
    }
  }

  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  it('sends the requests of the model, answers each caller with its own data, shares for 300 ms at most', async () => {
    await fc.assert(fc.asyncProperty(steps, replay), { numRuns: 60 })
  })
})

describe('session reducer', () => {
  const userInfo = { userId: 'u1' } as UserInfo
  const word = fc.string({ minLength: 1, maxLength: 8 })
  const event: fc.Arbitrary<SessionEvent> = fc.oneof(
    fc.record({ type: fc.constant('loggedIn' as const), token: word, userId: word, newUser: fc.boolean() }),
    fc.constant({ type: 'userInfoLoaded' as const, userInfo }),
    fc.record({ type: fc.constant('iosPayParamsReceived' as const), params: fc.dictionary(word, word) }),
    fc.constant({ type: 'loggedOut' as const }),
    fc.constant({ type: 'appReset' as const }),
    fc.record({ type: fc.constant('launched' as const), channelCode: word, bd_vid: word }),
    fc.constant({ type: 'firstLaunchDone' as const }),
    fc.record({ type: fc.constant('unlockRecordKept' as const), recordId: word }),
    fc.record({ type: fc.constant('navigated' as const), from: word }),
    fc.record({ type: fc.constant('popupShown' as const), key: word, at: fc.nat() }),
    fc.record({ type: fc.constant('moduleShown' as const), day: word }),
    fc.record({ type: fc.constant('reportTipSeen' as const), key: word }),
    fc.record({ type: fc.constant('displayChosen' as const), reduceMotion: fc.boolean() }),
  )
  const start: State = { session: { newUser: false }, app: initialApp('h5') }
  const freeze = (state: State): State => {
    Object.freeze(state.session)
    Object.freeze(state.app)
    Object.freeze(state.app.popupState)
    Object.freeze(state.app.reportTipKeys)
    return Object.freeze(state)
  }
  const history = fc.array(event, { maxLength: 40, size: 'max' })
  const replayed = (events: SessionEvent[]) => events.reduce((s, e) => freeze(reduce(s, e)), freeze(start))

  it('never mutates a state, and keeps no data of a user who has logged out', () => {
    fc.assert(
      fc.property(history, (events) => {
        // every intermediate state is frozen: a mutation would throw
        const out = reduce(replayed(events), { type: 'loggedOut' })
        const late = reduce(out, { type: 'userInfoLoaded', userInfo })
        expect(reduce(late, { type: 'iosPayParamsReceived', params: { a: '1' } })).toBe(out)
      }),
    )
  })

  it('a logout after any history clears the session and the last-shown date, nothing else of the app', () => {
    fc.assert(
      fc.property(history, (events) => {
        const before = replayed(events)
        const out = reduce(before, { type: 'loggedOut' })
        expect(out.session).toEqual({ newUser: false })
        expect(out.app).toEqual({ ...before.app, moduleShownDay: undefined })
        // a second logout changes nothing
        expect(reduce(out, { type: 'loggedOut' })).toEqual(out)
      }),
    )
  })

  it('a reset after any history clears its three fields and keeps the session', () => {
    fc.assert(
      fc.property(history, (events) => {
        const before = replayed(events)
        const out = reduce(before, { type: 'appReset' })
        expect(out.session).toBe(before.session)
        expect(out.app).toEqual({ ...before.app, popupState: {}, lastFromPath: undefined, reportTipKeys: [] })
      }),
    )
  })

  it('a login after any history belongs to its user alone', () => {
    fc.assert(
      fc.property(history, (events) => {
        const { session } = reduce(replayed(events), { type: 'loggedIn', token: 'n', userId: 'u2', newUser: false })
        expect(session).toEqual({ token: 'n', userId: 'u2', newUser: false })
      }),
    )
  })
})
