/** Jest reporter for the summary of `npm test`: writes counts and durations by file to JEST_DURATIONS. */
const { writeFileSync } = require('node:fs')
const path = require('node:path')

module.exports = class {
  constructor(config) {
    this.rootDir = config.rootDir
    this.file = process.env.JEST_DURATIONS ?? ''
  }

  onRunComplete(_contexts, results) {
    const files = results.testResults.map((one) => ({
      project: one.displayName?.name ?? '',
      file: path.relative(this.rootDir, one.testFilePath),
      ms: one.perfStats.end - one.perfStats.start,
    }))
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    writeFileSync(
      this.file,
      JSON.stringify({ passed: results.numPassedTests, failed, skipped: results.numPendingTests, files }),
    )
  }
}
