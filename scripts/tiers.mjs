/** Steps of `npm test` and `npm run test:…` (CONTRIBUTING, "Tests"). */
import { spawnSync } from 'node:child_process'
import { build } from './build.mjs'
import { checkSteps } from './check.mjs'
import { root, run } from './lib.mjs'
import { postgresGroup } from './postgres-group.mjs'
import { runJest } from './run-jest.mjs'
import { workers } from './schedule.mjs'

const postgres = { TEST_DATABASE: 'postgres' }
const deep = { DEEP: '1' }
/** `postgres` or `embedded`: CI runs one database per job; both if not set. */
const onlyOn = process.env.TEST_DATABASE

const builds = ['h5', 'weapp', 'server'].map((target) => ({ name: `build ${target}`, run: () => build(target) }))
const budgets = {
  name: 'byte budgets',
  // counts bytes without timing, so it can run beside anything
  slots: 0,
  needs: ['build h5', 'build weapp'],
  run: async () => {
    const { code } = await run('字节预算', process.execPath, ['scripts/run.mjs', 'scripts/bench.mjs', '--bytes'], {
      quiet: true,
    })
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
const screens = tests('screens', ['h5', 'weapp'])
const server = tests('server', ['server'], {
  needs: ['build server'],
  jestWorkers: waiting,
  args: ['--testPathIgnorePatterns', '/node_modules/', '\\.deep\\.test\\.', ...postgresGroup()],
  env: { TEST_DATABASE: '' },
})
const groupOn = (database) =>
  tests(`server, group postgres (${database})`, ['server'], {
    jestWorkers: waiting,
    args: ['--runTestsByPath', ...postgresGroup()],
    env: { TEST_DATABASE: database },
  })
/** @param {string[]} needs */
const endToEnd = (name, projects, needs) => tests(name, projects, { needs, jestWorkers: waiting })
const e2e = endToEnd('e2e', ['e2e'], ['build h5'])
const weapp = endToEnd('weapp', ['weapp-run'], ['build weapp'])

/**
 * Files that measure time, run one at a time without other tests, which would distort the figures; processor time too,
 * because workers share caches and memory bandwidth.
 */
const timed = { trainingCost: 'training-cost\\.deep\\.test', overload: 'overload\\.deep\\.test' }
const alone = (name, file, env) =>
  tests(name, ['deep'], { args: ['--testPathPattern', file], env: { ...deep, ...env }, jestWorkers: 1 })

const deepTests = tests('deep', ['deep'], {
  // replaces the project's own list
  args: ['--testPathIgnorePatterns', '/node_modules/', '/server/test/faults/', timed.trainingCost],
  env: { ...deep, TEST_DATABASE: '' },
  needs: ['build h5', 'build weapp'],
})
const trainingCost = alone('training cost', timed.trainingCost, { TEST_DATABASE: '' })
const properties = tests('properties, many runs', ['unit'], { env: deep })
const deepOnPostgres = tests('server, all tests (PostgreSQL)', ['server', 'deep'], {
  // the engine's tests use no database
  args: ['--testPathPattern', `${root}/server/(?!engine/)(?!.*${timed.overload})`],
  env: { ...postgres, ...deep },
})
const overloadOnPostgres = alone('overload (PostgreSQL)', timed.overload, postgres)

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
    budgets,
    ...checkSteps,
    tests('unit and screens', ['unit', 'h5', 'weapp']),
    server,
    groupOn('postgres'),
    endToEnd('e2e and weapp', ['e2e', 'weapp-run'], ['build h5', 'build weapp']),
  ],
  unit: () => [unit],
  screens: () => [screens],
  server: () => [
    builds[2],
    ...(onlyOn === 'postgres' ? [] : [server]),
    ...(onlyOn === 'embedded' ? [] : [groupOn('postgres')]),
  ],
  e2e: () => [builds[0], e2e],
  weapp: () => [builds[1], weapp],
  changed: () => [tests('changed', ['unit', 'h5', 'weapp', 'server'], { args: [`--changedSince=${changedSince()}`] })],
  deep: () => [
    ...(onlyOn === 'postgres'
      ? []
      : [...builds, deepTests, trainingCost, properties, groupOn('embedded'), faults('embedded')]),
    ...(onlyOn === 'embedded' ? [] : [deepOnPostgres, overloadOnPostgres, faults('postgres')]),
  ],
}
