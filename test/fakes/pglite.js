module.exports = globalThis.REAL_PGLITE()
