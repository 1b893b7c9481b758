/**
 * Makes src/ui/Price/figures.woff2 from Barlow SemiBold: digits of one width and the signs of a price. It is committed,
 * so nobody needs this to build or run:
 *   mkdir /tmp/fonts && cd /tmp/fonts && npm i @fontsource/barlow@5.3.0 fontkit@2 opentype.js@1 wawoff2@2
 *   NODE_PATH=/tmp/fonts/node_modules node tools/fonts/figures.mjs
 * Glyphs are copied as outlines, so that the tabular digits are the font's ordinary ones: no feature tables, 2 kB.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(path.join(process.env.NODE_PATH ?? '', 'x.js'))
const fontkit = require('fontkit')
const { Font, Glyph, Path } = require('opentype.js')
const { compress } = require('wawoff2')

/** Also in the unicode-range of src/ui/Price/Price.scss. */
const CHARACTERS = '0123456789¥,.+−–%'

const file = path.join(process.env.NODE_PATH ?? '', '@fontsource/barlow/files/barlow-latin-600-normal.woff2')
const from = fontkit.create(readFileSync(file))

const glyphs = [...CHARACTERS].map((character) => {
  const [glyph] = from.layout(character, ['tnum']).glyphs
  const outline = new Path()
  const draw = { moveTo: 'moveTo', lineTo: 'lineTo', quadraticCurveTo: 'quadTo', bezierCurveTo: 'curveTo' }
  for (const { command, args } of glyph.path.commands) {
    if (command === 'closePath') outline.close()
    else outline[draw[command]](...args)
  }
  const unicode = character.codePointAt(0)
  return new Glyph({ name: `u${unicode.toString(16)}`, unicode, advanceWidth: glyph.advanceWidth, path: outline })
})
const missing = new Glyph({ name: '.notdef', advanceWidth: 500, path: new Path() })
const font = new Font({
  familyName: 'Figures',
  styleName: 'SemiBold',
  unitsPerEm: from.unitsPerEm,
  ascender: from.ascent,
  descender: from.descent,
  glyphs: [missing, ...glyphs],
})
const woff2 = await compress(Buffer.from(font.toArrayBuffer()))
writeFileSync(path.join(import.meta.dirname, '../../src/ui/Price/figures.woff2'), woff2)
