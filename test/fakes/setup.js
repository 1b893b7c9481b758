const { TEST_PLATFORM } = globalThis
// which ports and styles of our own code are taken
process.env.TARO_ENV = TEST_PLATFORM
// Taro's runtime renders into jsdom in both projects; test/weapp checks what the mini-program renders
process.env.TARO_PLATFORM = 'web'
if (TEST_PLATFORM === 'weapp') globalThis.wx = require('./wx')
