const { TEST_PLATFORM } = globalThis
process.env.TARO_ENV = TEST_PLATFORM
process.env.TARO_PLATFORM = TEST_PLATFORM === 'h5' ? 'web' : 'mini'
