import path from 'node:path'
import { decide } from '../../src/router/guard'
import { type RouteName, routes } from '../../src/router/routes'
import { startServer, type TestServer } from '../fakes/server'
import type { MiniProgram } from './driver'
import { type Harness, pictures, startHarness } from './launch'
import { loginBySms } from './steps'

jest.setTimeout(60_000)

const names = Object.keys(routes) as RouteName[]
const isOpen = (name: RouteName) => 'open' in routes[name]
const protectedPages = names.filter((n) => !isOpen(n))

let server: TestServer
let harness: Harness
let app: MiniProgram

/** Starts the app at this page, as a share or a scan does. */
async function openCold(name: RouteName) {
  await app.start(routes[name].path)
  await app.see(routes[name].title)
}

beforeAll(async () => {
  ;[server, harness] = await Promise.all([startServer(), startHarness()])
}, 200_000)
afterAll(async () => {
  await harness?.close()
  await server?.stop()
})
afterEach(async () => {
  expect(await app.problems()).toEqual([])
  expect(await app.sidewaysScroll()).toBe(0)
})

it('there are 41 pages', () => {
  expect(names).toHaveLength(41)
})
