const { TestEnvironment } = require('jest-environment-jsdom')

/** jsdom plus what the code under test takes for granted in both runtimes; says which platform the project stands for. */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    this.global.TEST_PLATFORM = config.projectConfig.testEnvironmentOptions.platform
    this.global.TextEncoder = TextEncoder
    this.global.TextDecoder = TextDecoder
  }
}
