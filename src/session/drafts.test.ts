import { fakeStorage } from '@/platform/storage/fake'
import { createDrafts, DRAFT_KEEP, type Draft } from './drafts'

const draft = (over: Partial<Draft> = {}): Draft => ({
  gameId: 'hok',
  gameName: '王者荣耀',
  mode: 'AI',
  schemaVersion: 1,
  answers: { heroCount: 88 },
  labels: { heroCount: '英雄数' },
  done: 1,
  total: 15,
  savedAt: 1000,
  ...over,
})

function make(time = 1000) {
  const storage = fakeStorage()
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

it('what was filled before the login belongs to the user afterwards; the newer one wins', () => {
  const { drafts } = make(9000)
  drafts.save('u1', draft({ answers: { heroCount: 1 }, savedAt: 1000 }))
  drafts.save('u1', draft({ gameId: 'ys', answers: { ar: 60 }, savedAt: 8000 }))
  drafts.save(undefined, draft({ answers: { heroCount: 2 }, savedAt: 2000 }))
  drafts.save(undefined, draft({ gameId: 'ys', answers: { ar: 1 }, savedAt: 3000 }))
  expect(drafts.load('u1', 'hok', 'AI')?.answers).toEqual({ heroCount: 2 })
  expect(drafts.load('u1', 'ys', 'AI')?.answers).toEqual({ ar: 60 })
  expect(drafts.latest(undefined)).toBeUndefined()
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
  clock.now = 1000 + DRAFT_KEEP
  expect(drafts.latest('u1')).toBeUndefined()
  expect([...storage.data.keys()]).toEqual(['drafts'])
})

it('survives damaged storage', () => {
  const { storage, drafts } = make()
  storage.set('drafts', '{"a":')
  storage.set('draft:u1:hok:AI', '{"gameId":"hok","answers":[]}')
  expect(drafts.load('u1', 'hok', 'AI')).toBeUndefined()
  drafts.save('u1', draft())
  expect(drafts.latest('u1')).toEqual(draft())
})
