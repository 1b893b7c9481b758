/** The real package; every command of Redis is a function that it makes when it is loaded. */
module.exports = globalThis.requireOutside('ioredis')
