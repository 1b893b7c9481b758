const { TEST_PLATFORM } = globalThis
// which ports and styles of our own code are taken
process.env.TARO_ENV = TEST_PLATFORM
// Taro's runtime draws into jsdom in both projects; what the mini-program really draws, test/weapp looks at
process.env.TARO_PLATFORM = 'web'
if (TEST_PLATFORM === 'weapp') globalThis.wx = require('./wx')
