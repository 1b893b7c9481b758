/** The real package, which has megabytes of modules. */
module.exports = globalThis.requireOutside('playwright-core')
