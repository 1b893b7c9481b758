/** The real package; its arithmetic is several times slower in the sandbox. */
module.exports = globalThis.requireOutside('jsqr')
