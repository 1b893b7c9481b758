const { TestEnvironment } = require('jest-environment-node')

/**
 * Node, with some packages taken from outside jest's sandbox (the folder `outside`), where they are loaded once for all
 * files of a worker. The packages themselves are the real ones.
 */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    this.global.requireOutside = (name) => require(name)
  }

  /** A file of end-to-end tests takes pictures of its open pages when a test fails, before they are closed. */
  async handleTestEvent({ name, test }) {
    if (name === 'test_fn_failure') await this.global.takePictures?.(test.name)
  }
}
