/** The real package; it loads its files by dynamic import, which the sandbox refuses. */
module.exports = globalThis.requireOutside('@electric-sql/pglite')
