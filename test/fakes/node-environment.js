const { TestEnvironment } = require('jest-environment-node')

/**
 * Node, with some packages taken from outside jest's sandbox, where they are loaded once for all files of a worker (see
 * the files of their names in this folder). The packages themselves are the real ones.
 */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    this.global.requireOutside = (name) => require(name)
  }
}
