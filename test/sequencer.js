/**
 * The order of a run's files: those that take longest early, or the last worker would finish alone; before them one short
 * file for each worker, because the first file of a worker also pays for loading what all of them use.
 */
const { readFileSync } = require('node:fs')
const Sequencer = require('@jest/test-sequencer').default

/** Stands in the first lines of a file that takes a minute or so; what jest has measured itself is not there in a clean clone. */
const MARK = /^(\/\*\* .* \*\/\n)*\/\*\* @group long \*\/\n/

/** At least as many as jest has workers in `npm test`. */
const WORKERS = 3

module.exports = class extends Sequencer {
  sort(tests) {
    const isLong = new Set(tests.filter(({ path }) => MARK.test(readFileSync(path, 'utf8'))))
    const sorted = super.sort([...tests])
    const others = sorted.filter((test) => !isLong.has(test))
    const first = others.splice(-WORKERS)
    return [...first, ...sorted.filter((test) => isLong.has(test)), ...others]
  }
}
