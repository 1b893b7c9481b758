import type { Report } from '@/contract/types'
import { EmbedScreen, isFramed } from '@/features/report/EmbedScreen'
import { locked, manual, visited } from '@/features/report/samples'
import { storage } from '@/platform/storage'
import { page } from '@/router/page'
import { dispatch, startSession } from '@/session/store'
import { firstReport, friendScript, hiddenFromOwner, ownerMark, type Reader } from '../../server/first/report'
import { fakeServer } from '../fakes/api'
import { untilShown } from '../fakes/screen'
import { seen } from '../fakes/seen'
import { openPage } from '../fakes/taro'

jest.mock('@tarojs/taro', () => require('../fakes/navigation').fakeTaro())

const HOUR = 3_600_000
const friend = { orderId: '', mine: false } as const
const { other: _, history: __, ...person } = manual
const second = { name: '估值师 <i>', no: 'A018', years: 0, comment: '', priceFen: 301_000 }
const states: Record<string, Report> = {
  unlocked: visited,
  locked: { ...locked, ...friend, validUntil: Date.now() + HOUR, account: {} },
  'by a person': { ...person, ...friend },
  'by two, taken back': {
    ...person,
    ...friend,
    status: 'REVOKED',
    appraiser: { name: '小林', no: 'A017', years: 4, comment: '见说明 & 截图', priceFen: 290_000 },
    second,
  },
  'over, with markup': { ...visited, status: 'EXPIRED', title: '<b>王者 & 荣耀</b>', aiGenerated: true },
}
const tokens = { FRIEND: 't1', GALLERY: 'excellent', FRAME: 'a.b' } as const

/** The app's own page of a report, for who is not signed in. */
async function drawn(report: Report, reader: Reader): Promise<Element> {
  localStorage.clear()
  startSession(storage)
  // its question comes after two seconds, which a slow machine needs for drawing
  dispatch({ type: 'firstLaunchDone' })
  fakeServer({ evaluation: { reportGet: () => report } })
  await openPage(page('reportWxIframe', EmbedScreen, { bare: isFramed }), '/pages/evaluation/report/wxIframe', {
    reportNo: visited.reportNo,
    shareToken: tokens[reader],
  })
  await untilShown('报告信息')
  return document.querySelector('.ui-page') as Element
}

function serverDraws(report: Report, reader: Reader): string[] {
  const server = document.createElement('div')
  server.innerHTML = firstReport(report, { now: Date.now(), reader }).text
  return seen(server)
}

describe.each(Object.entries(states))('%s', (_name, report) => {
  it.each([
    ['a friend', 'FRIEND'],
    ['a reader of the gallery', 'GALLERY'],
  ] as const)(
    'draws what the app will draw for %s: same classes, same words, in the same order',
    async (_who, reader) => {
      const theirs = seen(await drawn(report, reader))
      const mine = serverDraws(report, reader)
      const bar = mine.indexOf('.ui-action')
      // what comes after the first screen is the app's alone
      expect(mine.slice(0, bar)).toEqual(theirs.slice(0, bar))
      expect(mine.slice(bar)).toEqual(theirs.slice(theirs.indexOf('.ui-action')))
      expect(bar).toBeGreaterThan(20)
    },
  )

  it('inside another page nothing leads away', async () => {
    const theirs = seen(await drawn(report, 'FRAME'))
    const mine = serverDraws(report, 'FRAME')
    expect(mine).toEqual(theirs.slice(0, mine.length))
    expect(firstReport(report, { now: Date.now(), reader: 'FRAME' }).text).not.toContain('<a')
  })
})

it.each([
  ['a friend', { token: 't', userId: 'u2' }, true],
  ['the owner', { token: 't', userId: 'u1' }, false],
  ['the owner who has signed out', { userId: 'u1' }, true],
  ['a login of which nobody knows whose it is', { token: 't' }, true],
  ['a stranger', undefined, true],
])('%s sees it or not, before anything of it is read', (_name, session, shown) => {
  localStorage.clear()
  if (session) localStorage.setItem('gav.session', JSON.stringify({ version: 1, data: session }))
  const server = document.createElement('div')
  server.innerHTML = hiddenFromOwner('GZ1', 'u1', firstReport(visited, { now: Date.now(), reader: 'FRIEND' })).text
  const first = server.firstElementChild as HTMLElement
  expect(first.firstElementChild?.outerHTML).toBe(`<script>${friendScript}</script>`)
  expect(first.hidden).toBe(false)
  const running = jest.spyOn(document, 'currentScript', 'get')
  running.mockReturnValue(first.firstElementChild as HTMLScriptElement)
  // biome-ignore lint/security/noGlobalEval: the script of the page, as the browser runs it
  globalThis.eval(friendScript)
  running.mockRestore()
  expect(first.hidden).toBe(!shown)
})

it('the owner’s mark tells nobody who it is: many share it', () => {
  const marks = new Set(Array.from({ length: 50_000 }, (_u, i) => ownerMark('GZ1', `user${i}`)))
  expect(marks.size).toBeLessThan(4100)
  expect(marks.size).toBeGreaterThan(3500)
})
