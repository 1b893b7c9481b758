/** The real package; loading it decompresses tables of Unicode, for which most files have no use. */
module.exports = globalThis.requireOutside('fontkit')
