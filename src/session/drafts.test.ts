import { fakeStorage } from '@/platform/storage/fake'
import { createDrafts, DRAFT_LIFETIME_MS, type Draft } from './drafts'
import { carryToManualDraft, mergeIntoDraft } from './draftTransfers'

const draft = (over: Partial<Draft> = {}): Draft => ({
  gameId: 'hok',
  gameName: '王者荣耀',
  mode: 'AI',
  schemaVersion: 1,
  answers: { heroCount: 88 },
  labels: { heroCount: '英雄数' },
  filled: {},
  requestId: 'r1',
  done: 1,
  total: 15,
  savedAt: 1000,
  ...over,
})

function make(time = 1000, room?: number) {
  const storage = fakeStorage({}, room)
  const clock = { now: time }
  return { storage, clock, drafts: createDrafts(storage, () => clock.now) }
}

it('is stored under draft:{userId|anon}:{gameId}:{mode} and comes back', () => {
  const { storage, drafts } = make()
  drafts.save('u1', draft())
  drafts.save(undefined, draft({ gameId: 'ys', mode: 'MANUAL' }))
  expect([...storage.data.keys()]).toEqual(expect.arrayContaining(['draft:u1:hok:AI', 'draft:anon:ys:MANUAL']))
  expect(drafts.load('u1', 'hok', 'AI')).toEqual(draft())
  expect(drafts.load('u1', 'hok', 'MANUAL')).toBeUndefined()
})

it('a draft from before the login belongs to the user afterwards; the newer one wins', () => {
  const { drafts } = make(9000)
  drafts.save('u1', draft({ answers: { heroCount: 1 }, savedAt: 1000 }))
  drafts.save('u1', draft({ gameId: 'ys', answers: { ar: 60 }, savedAt: 8000 }))
  drafts.save(undefined, draft({ answers: { heroCount: 2 }, savedAt: 2000 }))
  drafts.save(undefined, draft({ gameId: 'ys', answers: { ar: 1 }, savedAt: 3000 }))
  expect(drafts.load('u1', 'hok', 'AI')?.answers).toEqual({ heroCount: 2 })
  expect(drafts.load('u1', 'ys', 'AI')?.answers).toEqual({ ar: 60 })
  expect(drafts.latest(undefined)).toBeUndefined()
})

it('a quick estimate from before the login adds its answers to a form begun earlier', () => {
  const { drafts } = make(9000)
  drafts.save('u1', draft({ answers: { heroCount: 1, skinCount: 200 }, savedAt: 1000 }))
  drafts.save(undefined, draft({ answers: { heroCount: 2 }, schemaVersion: 0, requestId: 'r2', savedAt: 2000 }))
  expect(drafts.load('u1', 'hok', 'AI')).toMatchObject({ answers: { heroCount: 2, skinCount: 200 }, requestId: 'r1' })
})

it('never shows one user the draft of another', () => {
  const { drafts } = make()
  drafts.save('u1', draft())
  expect(drafts.load('u2', 'hok', 'AI')).toBeUndefined()
  expect(drafts.latest('u2')).toBeUndefined()
  expect(drafts.latest(undefined)).toBeUndefined()
})

it('offers the newest, forgets after 30 days, removes on success', () => {
  const { storage, clock, drafts } = make(1000)
  drafts.save('u1', draft({ savedAt: 1000 }))
  clock.now = 5000
  drafts.save('u1', draft({ gameId: 'ys', savedAt: 5000 }))
  expect(drafts.latest('u1')?.gameId).toBe('ys')
  drafts.remove('u1', 'ys', 'AI')
  expect(drafts.latest('u1')?.gameId).toBe('hok')
  clock.now = 1000 + DRAFT_LIFETIME_MS
  expect(drafts.latest('u1')).toBeUndefined()
  expect([...storage.data.keys()]).toEqual(['drafts'])
})

it('takes the answers of one way of valuing over into the other, and keeps both', () => {
  const { drafts } = make(9000)
  drafts.save('u1', draft({ answers: { heroCount: 88, rank: 'a' }, taskId: 't1' }))
  drafts.save('u1', draft({ mode: 'MANUAL', answers: { heroCount: 1, remark: '急' }, requestId: 'm1' }))
  carryToManualDraft('u1', 'hok', drafts, 9000)
  expect(drafts.load('u1', 'hok', 'MANUAL')).toMatchObject({
    answers: { heroCount: 88, rank: 'a', remark: '急' },
    requestId: 'm1',
    taskId: undefined,
    savedAt: 9000,
  })
  expect(drafts.load('u1', 'hok', 'AI')).toMatchObject({ answers: { heroCount: 88, rank: 'a' }, taskId: 't1' })
  carryToManualDraft('u1', 'ys', drafts, 9000)
  expect(drafts.load('u1', 'ys', 'MANUAL')).toBeUndefined()
})

it('says when there is no room for a draft', () => {
  const { drafts } = make(1000, 600)
  expect(drafts.save('u1', draft())).toBe(true)
  expect(drafts.save('u1', draft({ gameId: 'cf', answers: { remark: '长'.repeat(900) } }))).toBe(false)
})

it('survives damaged storage', () => {
  const { storage, drafts } = make()
  storage.set('drafts', '{"a":')
  storage.set('draft:u1:hok:AI', '{"gameId":"hok","answers":[]}')
  expect(drafts.load('u1', 'hok', 'AI')).toBeUndefined()
  drafts.save('u1', draft())
  expect(drafts.latest('u1')).toEqual(draft())
})

it('takes what was read for the user, marked, over what he had typed', () => {
  const { storage, drafts } = make()
  drafts.save('u1', draft({ answers: { heroCount: 1, noble: 'v8' } }))
  const read = { gameId: 'hok', gameName: '王者荣耀', mode: 'AI', from: 'READ', taskId: 't1' } as const
  mergeIntoDraft('u1', { ...read, answers: { heroCount: 99 } }, drafts, 1000)
  expect(drafts.load('u1', 'hok', 'AI')).toMatchObject({
    answers: { heroCount: 99, noble: 'v8' },
    filled: { heroCount: { from: 'READ', answer: 99 } },
    taskId: 't1',
    schemaVersion: 1,
  })
  storage.set('draft:u1:hok:AI', JSON.stringify({ ...draft(), listing: { askFen: '5', agreed: true } }))
  expect(drafts.load('u1', 'hok', 'AI')?.listing).toBeUndefined()
  mergeIntoDraft('u2', { ...read, answers: { heroCount: 5 } }, drafts, 1000)
  expect(drafts.load('u2', 'hok', 'AI')).toMatchObject({ answers: { heroCount: 5 }, schemaVersion: 0 })
})
