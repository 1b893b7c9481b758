/** The real package, which makes strings of strings. */
module.exports = globalThis.requireOutside('markdown-it')
