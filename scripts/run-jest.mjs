/** Runs jest and records its counts for the summary of `npm test`. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { root, run } from './lib.mjs'

/** Counts and durations of every jest run of this process. */
export const runs = []

/**
 * @param {string} name of the run, for messages
 * @param {string[]} projects of jest.config.js
 * @param {{ args?: string[], env?: Record<string, string>, node?: string }} [options] `node`: program that runs jest
 * @returns {Promise<boolean>} whether all tests passed
 */
export async function runJest(name, projects, { args = [], env = {}, node = process.execPath } = {}) {
  const file = path.join(root, '.cache', 'jest-results', `${runs.length}.json`)
  mkdirSync(path.dirname(file), { recursive: true })
  rmSync(file, { force: true })
  const record = { name, passed: 0, failed: 0, skipped: 0, files: [] }
  runs.push(record)
  const reporters = ['--reporters=default', '--reporters=<rootDir>/scripts/jest-durations.cjs']
  const command = ['node_modules/jest/bin/jest.js', '--selectProjects', ...projects, ...reporters, ...args]
  const { code } = await run(name, node, command, { env: { ...env, JEST_DURATIONS: file } })
  if (existsSync(file)) Object.assign(record, JSON.parse(readFileSync(file, 'utf8')))
  // jest that exited without writing results counts as one failure
  if (code !== 0 && record.failed === 0) record.failed = 1
  return record.failed === 0
}
