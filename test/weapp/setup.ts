/** Set-up of tests on the running mini-program. Jest loads it for each test file, so its variables belong to one file. */
import type { RunningServer } from '../fakes/server'
import { sharedServer } from '../fakes/shared'
import type { MiniProgram } from './driver'
import { type Harness, startHarness } from './launch'

export let server: RunningServer
export let harness: Harness
/** the phone opened last */
export let app: MiniProgram

const phones: MiniProgram[] = []

/** A server of the file's own has `stop`. */
type Started = RunningServer & { stop?: () => Promise<void> }
type Start = () => Started | Promise<Started>

/** Starts harness and server before the tests. Phones opened by a test must end it without problems, and are closed. */
export function setUpHarness(start: Start = sharedServer): void {
  let stop: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const [opened, started] = await Promise.all([startHarness(), start()])
    harness = opened
    server = started
    stop = started.stop
  })
  afterAll(async () => {
    await harness?.close()
    await stop?.()
  })
  afterEach(async () => {
    const opened = phones.splice(0)
    for (const phone of opened) expect(await phone.problems()).toEqual([])
    await Promise.all(opened.map((phone) => phone.close()))
  })
}

/** Opens a phone for the current test. */
export async function openPhone(options: Partial<Parameters<Harness['open']>[0]> = {}): Promise<MiniProgram> {
  app = await harness.open({ apiBase: server.url, ...options })
  phones.push(app)
  return app
}

/** The same, with one phone for each test. */
export function setUpPhone(start?: Start): void {
  setUpHarness(start)
  beforeEach(async () => {
    await openPhone()
  })
}
