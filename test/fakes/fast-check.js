/** The real fast-check. `FUZZ_SEED` fixes the seed of every property: CI fails only because of what a merge changes. */
const real = require('../../node_modules/fast-check/lib/cjs/fast-check.js')

const { FUZZ_SEED } = process.env
if (FUZZ_SEED) real.configureGlobal({ seed: Number(FUZZ_SEED) })

module.exports = real
