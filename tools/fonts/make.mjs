/**
 * Makes server/rendering/fonts from the full Noto fonts. They are committed, so nobody needs this to build or run:
 *   mkdir /tmp/fonts && cd /tmp/fonts && npm i @expo-google-fonts/noto-sans-sc subset-font
 *   NODE_PATH=/tmp/fonts/node_modules node tools/fonts/make.mjs
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(path.join(process.env.NODE_PATH ?? '', 'x.js'))
const subset = require('subset-font')
const to = path.join(import.meta.dirname, '../../server/rendering/fonts')
const sans = path.join(process.env.NODE_PATH ?? '', '@expo-google-fonts/noto-sans-sc')

/** GB 2312, Latin and the signs the product writes: what nearly every report needs, so it loads in a few ms. */
function everyday() {
  const bytes = []
  for (let row = 0xa1; row <= 0xf7; row += 1) for (let cell = 0xa1; cell <= 0xfe; cell += 1) bytes.push(row, cell)
  const latin = Array.from({ length: 0x180 - 0x20 }, (_, i) => String.fromCodePoint(i + 0x20)).join('')
  const all = `${new TextDecoder('gb2312').decode(Uint8Array.from(bytes)) + latin}–—−×·…•¥€‘’“”‰`
  return new Set(all.replace(/[\uE000-\uF8FF\uFFFD\u007F-\u009F]/g, ''))
}

const options = { targetFormat: 'truetype', noLayoutClosure: true }
const common = everyday()
const rest = []
for (let cp = 0x80; cp <= 0x323af; cp += 1) {
  const char = String.fromCodePoint(cp)
  const unused = (cp >= 0xd800 && cp <= 0xf8ff) || (cp >= 0xac00 && cp <= 0xd7ff)
  if (!unused && !common.has(char)) rest.push(char)
}
const make = async (name, from, text) =>
  writeFileSync(path.join(to, name), await subset(readFileSync(path.join(sans, from)), text, options))
await make('sans-regular.ttf', '400Regular/NotoSansSC_400Regular.ttf', [...common].join(''))
await make('sans-bold.ttf', '700Bold/NotoSansSC_700Bold.ttf', [...common].join(''))
await make('sans-rare.ttf', '500Medium/NotoSansSC_500Medium.ttf', rest.join(''))
copyFileSync(path.join(sans, 'LICENSE_FONT'), path.join(to, 'OFL.txt'))
