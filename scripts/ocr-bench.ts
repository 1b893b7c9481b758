/**
 * `npm run ocr:bench`: draws screens of made-up accounts, reads them as screenshots and compares. Prints the fields that are
 * right, wrong, asked and missing for each game. Options: game ids; `--robust` for worse pictures; `--accounts=3`;
 * `--verbose` names every field that is not right.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import type { StoredPage } from '../server/db/columns'
import { readAnswers } from '../server/domains/games/screenshots/answers'
import { drawnGames, pagesOf } from '../server/fixtures/screenshots/pages'
import { createPaddleOcr } from '../server/providers/ocr/paddle'
import type { Answers, FormConfig } from '../src/contract/form/types'
import { findHeadless } from './tools.mjs'

const root = path.resolve(__dirname, '..')
const pictures = path.join(root, '.cache/ocr-bench')
const args = process.argv.slice(2)
const games = args.filter((arg) => !arg.startsWith('--'))
const accounts = Number(args.find((arg) => arg.startsWith('--accounts='))?.split('=')[1] ?? 10)
const verbose = args.includes('--verbose')

/** px of a phone's screenshot */
const WIDTH = 1080

const jpeg = (width: number) => (png: Buffer) => sharp(png).resize({ width }).jpeg({ quality: 60 }).toBuffer()

/** A photo of a screen: turned by two degrees, with a moiré and uneven light. */
async function photo(png: Buffer): Promise<Buffer> {
  const { width = WIDTH, height = WIDTH } = await sharp(png).metadata()
  const pattern =
    Buffer.from(`<svg width="${width}" height="${height}"><defs><pattern id="m" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(17)"><rect width="5" height="2" fill="#fff" opacity=".14"/></pattern>
    <linearGradient id="l" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".22"/><stop offset="1" stop-color="#000" stop-opacity=".35"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#m)"/><rect width="100%" height="100%" fill="url(#l)"/></svg>`)
  const lit = await sharp(png)
    .composite([{ input: pattern }])
    .png()
    .toBuffer()
  return sharp(lit).rotate(2, { background: '#222' }).blur(0.8).jpeg({ quality: 75 }).toBuffer()
}

async function cropped(png: Buffer): Promise<Buffer> {
  const { width = WIDTH, height = WIDTH } = await sharp(png).metadata()
  const [x, y] = [Math.round(width * 0.02), Math.round(height * 0.05)]
  return sharp(png)
    .extract({ left: x, top: y, width: width - 2 * x, height: height - 2 * y })
    .png()
    .toBuffer()
}

const variants: Record<string, (png: Buffer) => Promise<Buffer>> = args.includes('--robust')
  ? { 'jpeg 720': jpeg(720), 'jpeg 1080': jpeg(1080), 'jpeg 1440': jpeg(1440), cropped, photo }
  : { plain: async (png) => png }

interface Tally {
  right: number
  wrong: number
  asked: number
  missing: number
}

const isList = Array.isArray
const keyOf = (row: unknown) => JSON.stringify(row)

/** Compares the rows of lists one by one, in any order, and single answers as a whole. */
function compare(
  config: FormConfig,
  shown: Answers,
  read: { answers: Answers; ask: string[] },
  tally: Tally,
  name: string,
): void {
  const add = (kind: keyof Tally, key: string, is: unknown, should: unknown) => {
    tally[kind] += 1
    if (verbose && kind !== 'right')
      console.log(`  ${name} ${key}: ${kind}, is ${keyOf(is)}, should be ${keyOf(should)}`)
  }
  for (const { key, type } of config.fields) {
    const [should, is] = [shown[key], read.answers[key]]
    const asks = read.ask.includes(key)
    if (should !== undefined && isList(should) && type !== 'cascader') {
      const rows = isList(is) ? is : []
      for (const row of should)
        if (rows.some((answer) => isDeepStrictEqual(answer, row))) add('right', key, row, row)
        else add(asks ? 'asked' : 'missing', key, undefined, row)
      for (const row of rows)
        if (!should.some((answer) => isDeepStrictEqual(answer, row))) add(asks ? 'asked' : 'wrong', key, row, undefined)
    } else if (should !== undefined) {
      if (is === undefined) add('missing', key, is, should)
      else if (isDeepStrictEqual(is, should)) add(asks ? 'asked' : 'right', key, is, should)
      else add(asks ? 'asked' : 'wrong', key, is, should)
    } else if (is !== undefined) add(asks ? 'asked' : 'wrong', key, is, should)
  }
}

async function main() {
  mkdirSync(pictures, { recursive: true })
  const browser = await chromium.launch({
    executablePath: findHeadless() ?? '',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const view = await browser.newPage({ viewport: { width: 375, height: 812 }, deviceScaleFactor: WIDTH / 375 })
  const ocr = createPaddleOcr()
  for (const [variant, change] of Object.entries(variants))
    for (const gameId of games.length > 0 ? games : drawnGames) {
      const config = JSON.parse(
        readFileSync(path.join(root, 'server/fixtures/games', `${gameId}.json`), 'utf8'),
      ) as FormConfig
      const tally: Tally = { right: 0, wrong: 0, asked: 0, missing: 0 }
      for (let account = 0; account < accounts; account++) {
        const pages: StoredPage[] = []
        const shown: Answers = {}
        for (const drawn of pagesOf(config, account)) {
          await view.setContent(drawn.html)
          const file = await change(await view.screenshot())
          writeFileSync(path.join(pictures, `${drawn.name}-${variant.replace(' ', '-')}.png`), file)
          const page = await ocr.read(file)
          pages.push({ key: drawn.name, page })
          Object.assign(shown, drawn.shown)
        }
        compare(config, shown, readAnswers(config, pages), tally, `${gameId}-${account}`)
      }
      const all = Object.values(tally).reduce((a, b) => a + b, 0)
      const share = (n: number) => `${((100 * n) / all).toFixed(1)} %`
      console.log(
        `${variant.padEnd(10)} ${gameId.padEnd(7)} right ${share(tally.right)}  asked ${share(tally.asked)}  missing ${share(tally.missing)}  wrong ${share(tally.wrong)}  of ${all}`,
      )
    }
  await ocr.close()
  await browser.close()
}

void main()
