const { TestEnvironment } = require('jest-environment-jsdom')

/** jsdom plus globals that both runtimes have, and the platform of the jest project. */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    this.global.TEST_PLATFORM = config.projectConfig.testEnvironmentOptions.platform
    this.global.TextEncoder = TextEncoder
    this.global.TextDecoder = TextDecoder
  }
}
