/** Steps of `npm test` and `npm run test:…` (CONTRIBUTING, "Tests"). */
import { spawnSync } from 'node:child_process'
import { build } from './build.mjs'
import { checkSteps } from './check.mjs'
import { root, run } from './lib.mjs'
import { node24 } from './node24.mjs'
import { runJest } from './run-jest.mjs'
import { workers } from './schedule.mjs'

const deep = { DEEP: '1' }

const builds = ['h5', 'weapp', 'server'].map((target) => ({ name: `build ${target}`, run: () => build(target) }))
const preparation = {
  name: 'preparation of the tests',
  needs: ['build weapp'],
  run: async () => {
    const { code } = await run('准备测试', process.execPath, ['scripts/run.mjs', 'test/prepare.ts'], { quiet: true })
    return code === 0
  },
}

/** Tests that wait for pages, servers and clocks: one worker more than processors. */
const waiting = workers + 1

/**
 * A step that runs jest with all workers.
 * @param {string} name
 * @param {string[]} projects of jest.config.js
 * @param {{ args?: string[], env?: Record<string, string>, needs?: string[], jestWorkers?: number }} [options]
 */
const tests = (name, projects, { args = [], env = {}, needs = [], jestWorkers = workers } = {}) => ({
  name,
  slots: workers,
  needs,
  run: (more = []) => runJest(name, projects, { args: [`--maxWorkers=${jestWorkers}`, ...args, ...more], env }),
})

const unit = tests('unit', ['unit'])
const screens = tests('screens', ['h5', 'weapp'], { jestWorkers: waiting })
const server = tests('server', ['server'], { needs: ['build server'], jestWorkers: waiting })
const onNode24 = {
  name: 'unit and server (Node 24)',
  slots: workers,
  needs: ['build server'],
  run: async (more = []) => {
    const args = [`--maxWorkers=${waiting}`, ...more]
    return runJest('unit and server (Node 24)', ['unit', 'server'], { args, node: await node24() })
  },
}
/** @param {string[]} needs */
const endToEnd = (name, projects, needs) => tests(name, projects, { needs, jestWorkers: waiting })
const e2e = endToEnd('e2e', ['e2e'], ['build h5'])
const weapp = endToEnd('weapp', ['weapp-run'], ['build weapp'])

/**
 * Files that measure time, run one at a time without other tests, which would distort the figures; processor time too,
 * because workers share caches and memory bandwidth.
 */
const timed = ['training-cost\\.deep\\.test', 'overload\\.deep\\.test', 'picture-cost\\.deep\\.test']
const deepTests = tests('deep', ['deep', 'deep-e2e'], {
  // replaces the projects' own lists
  args: ['--testPathIgnorePatterns', '/node_modules/', '/server/test/faults/', ...timed],
  env: deep,
  needs: ['build h5', 'build weapp', 'build server'],
})
const timedTests = tests('costs, one at a time', ['deep'], {
  args: ['--testPathPattern', timed.join('|')],
  env: deep,
  jestWorkers: 1,
})
const properties = tests('properties, many runs', ['unit'], { env: deep })
const orderMachine = tests('orders, many runs', ['server'], { args: ['--testPathPattern', 'order-machine'], env: deep })
const faults = (name) => tests(`faults (${name})`, ['faults'], { env: { TEST_DATABASE: name } })

/** Base of the comparison: main, or on main the last commit. */
function changedSince() {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim()
  return git('rev-parse', '--verify', '--quiet', 'main') && git('branch', '--show-current') !== 'main' ? 'main' : 'HEAD'
}

/** Steps by tier, in the order in which they start. */
export const tiers = {
  // combined into one run where files can share workers, so that none is idle at the end of a run
  all: () => [
    ...builds,
    preparation,
    ...checkSteps,
    tests('unit and screens', ['unit', 'h5', 'weapp'], { jestWorkers: waiting }),
    server,
    endToEnd('e2e and weapp', ['e2e', 'weapp-run'], ['build h5', 'build weapp']),
  ],
  unit: () => [unit],
  screens: () => [screens],
  server: () => [builds[2], server],
  node24: () => [builds[2], onNode24],
  e2e: () => [builds[0], e2e],
  weapp: () => [builds[1], weapp],
  changed: () => [tests('changed', ['unit', 'h5', 'weapp', 'server'], { args: [`--changedSince=${changedSince()}`] })],
  deep: () => [...builds, deepTests, timedTests, properties, orderMachine, faults('postgres'), faults('embedded')],
}
