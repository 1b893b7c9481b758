const { TestEnvironment } = require('jest-environment-node')

/**
 * Node, with PGlite taken from outside jest's sandbox: it loads its files by dynamic import, which the sandbox refuses.
 * The package itself is the real one (see test/fakes/pglite.js).
 */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    this.global.REAL_PGLITE = () => require('@electric-sql/pglite')
  }
}
