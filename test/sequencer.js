/** Which files a run begins with: those that take longest, or the last worker would finish alone. */
const { readFileSync } = require('node:fs')
const Sequencer = require('@jest/test-sequencer').default

/** Stands in the first lines of a file that takes a minute or so; what jest has measured itself is not there in a clean clone. */
const MARK = /^(\/\*\* .* \*\/\n)*\/\*\* @group long \*\/\n/

module.exports = class extends Sequencer {
  sort(tests) {
    const isLong = new Set(tests.filter(({ path }) => MARK.test(readFileSync(path, 'utf8'))))
    const sorted = super.sort([...tests])
    return [...sorted.filter((test) => isLong.has(test)), ...sorted.filter((test) => !isLong.has(test))]
  }
}
