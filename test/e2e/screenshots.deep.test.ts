import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { findHeadless } from '../../scripts/tools.mjs'
import { launchOwn, openPhone, type Phone } from './browser'
import { type FixedTime, startAtFixedTime } from './fixed-time'
import { handTo, longPages, pages, populate, type Screen, setLargest, show, type World } from './screens'

/**
 * Every page in every variant, and the long pages from top to bottom, compared with its reference screenshot in
 * `screenshots/`. Clock and data are always the same, and nothing moves. With another build of Chromium the comparison is
 * skipped. `UPDATE_SCREENSHOTS=1` replaces the references and adds missing ones; without it a missing one fails. A failure
 * writes the new screenshot and the difference, and every run a sheet of all pages of each variant, to
 * test-results/e2e/screenshots.
 */
jest.setTimeout(600_000)

const REFERENCES = path.join(__dirname, 'screenshots')
const RESULTS = 'test-results/e2e/screenshots'
/** Names the browser that rendered the references. Another build renders text differently: 2 to 57 % of the pixels. */
const DRAWN_BY = path.join(REFERENCES, 'browser.txt')

/**
 * Share of a screenshot's pixels that may differ: antialiasing, times in minutes, and the display face, which may load
 * too late.
 */
const TOLERANCE = 0.015
/** Minimum colour distance of different pixels, 0 to 1 (pixelmatch). */
const COLOUR = 0.15

interface Variant {
  width: number
  height: number
  dark?: boolean
  largest?: boolean
  /** the long pages from top to bottom instead of the first screen of every page */
  whole?: boolean
}

/** By folder name. */
const variants: Record<string, Variant> = {
  light: { width: 375, height: 812 },
  dark: { width: 375, height: 812, dark: true },
  largest: { width: 375, height: 812, largest: true },
  320: { width: 320, height: 640 },
  768: { width: 768, height: 1024 },
  1280: { width: 1280, height: 800 },
  landscape: { width: 812, height: 375 },
  whole: { width: 375, height: 812, whole: true },
}

/** Height in CSS px of the parts of a long page that are compared each for itself. */
const PART = 812

/** Pixels stored per CSS px: enough to see what moved, small enough for the repository. */
const SCALE = 0.5
const QUALITY = 45

let browser: Browser
let fixed: FixedTime
let world: World
beforeAll(async () => {
  ;[browser, fixed] = await Promise.all([launchOwn(), startAtFixedTime()])
  world = await populate(fixed.server, ['13900000001', '13900000002'])
})
afterAll(async () => {
  await browser?.close()
  await fixed?.end()
})

/** Makes the window as high as the page, which scrolls inside it and loads more of itself when there is room for it. */
async function unroll(page: Page, width: number): Promise<number> {
  for (let height = 0; ; ) {
    const all = await page.evaluate(() => document.querySelector('.taro_page_show')?.scrollHeight ?? 0)
    if (all === height) return all
    height = all
    await page.setViewportSize({ width, height })
    await page.waitForLoadState('networkidle')
    await page.waitForFunction(() => document.querySelector('.ui-bone, .ui-skeleton') === null)
  }
}

/** Takes a screenshot once two in a row are equal. */
async function takeScreenshot({ page, context }: Phone, variant: Variant): Promise<Buffer> {
  const { width, dark = false, whole = false } = variant
  await page.setViewportSize({ width, height: variant.height })
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' })
  const height = whole ? await unroll(page, width) : variant.height
  await page.waitForFunction(() => Array.from(document.images).every(({ complete }) => complete))
  const cdp = await context.newCDPSession(page)
  const clip = { x: 0, y: 0, width, height, scale: SCALE }
  const take = async () => {
    const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip })
    return Buffer.from(data, 'base64')
  }
  let last = await take()
  for (let tries = 0; tries < 20; tries += 1) {
    const next = await take()
    if (next.equals(last)) break
    last = next
  }
  await cdp.detach()
  return last
}

/** Stops all animations. */
const STEADY = `
  * { caret-color: transparent !important; transition: none !important; animation: none !important }
  ::-webkit-scrollbar { display: none }
`

/** Replaces the random part of a report's number, whose width decides where its line breaks. */
const maskReportNumber = (page: Page) =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode: node } = texts
      node.nodeValue = node.nodeValue?.replace(/(?<=GZ\d{8}-)\w{6}/, '000000') ?? null
    }
  })

async function phoneFor(as: Screen['as'], largest: boolean): Promise<Phone> {
  const phone = await openPhone(browser)
  await fixed.shift(phone.context)
  await handTo(phone, fixed.server, world, as)
  if (largest) await setLargest(phone.page, fixed.server)
  return phone
}

type Screenshots = Map<string, Map<string, Buffer>>

const passes = [
  { screens: pages, largest: false, whole: false },
  { screens: pages, largest: true, whole: false },
  { screens: longPages, largest: false, whole: true },
]

/** Every page in all variants, in three passes: with normal text, with the largest, and whole. */
async function takeAll(): Promise<Screenshots> {
  const taken: Screenshots = new Map(Object.keys(variants).map((variant) => [variant, new Map()]))
  for (const { screens, ...pass } of passes) {
    const { largest } = pass
    const mine = Object.entries(variants).filter(
      ([, { largest = false, whole = false }]) => largest === pass.largest && whole === pass.whole,
    )
    const phones = new Map<Screen['as'], Phone>()
    for (const [name, screen] of Object.entries<Screen>(screens(world))) {
      const as = screen.as ?? 'owner'
      const phone = phones.get(as) ?? (await phoneFor(as, largest))
      phones.set(as, phone)
      await phone.page.setViewportSize({ width: 375, height: 812 })
      await show(phone.page, fixed.server, screen)
      await phone.page.addStyleTag({ content: STEADY })
      await maskReportNumber(phone.page)
      for (const [variant, size] of mine) taken.get(variant)?.set(name, await takeScreenshot(phone, size))
    }
    for (const { context } of phones.values()) await context.close()
  }
  return taken
}

interface Compared {
  /** of the part that differs most, 0 to 1; 1 when the sizes differ */
  share: number
  /** PNG as a data address, with what differs in red */
  drawn: string
}

declare global {
  interface Window {
    pixelmatch: typeof import('pixelmatch').default
  }
}

/** A page that can compare screenshots: the browser reads WebP. */
async function comparer(): Promise<Page> {
  const page = await browser.newPage()
  const source = readFileSync(require.resolve('pixelmatch'), 'utf8')
  await page.addScriptTag({ type: 'module', content: `${source}\nwindow.pixelmatch = pixelmatch` })
  return page
}

const address = (webp: Buffer) => `data:image/webp;base64,${webp.toString('base64')}`

const compare = (page: Page, reference: Buffer, taken: Buffer): Promise<Compared> =>
  page.evaluate(
    async ([addresses, threshold, part]) => {
      const pixels = async (src: string) => {
        const img = Object.assign(new Image(), { src })
        await img.decode()
        const canvas = Object.assign(document.createElement('canvas'), { width: img.width, height: img.height })
        const pen = canvas.getContext('2d')
        if (!pen) throw new Error('no canvas')
        pen.drawImage(img, 0, 0)
        return { canvas, pen, image: pen.getImageData(0, 0, img.width, img.height) }
      }
      const [a, b] = await Promise.all([pixels(addresses[0] ?? ''), pixels(addresses[1] ?? '')])
      const { width, height, data } = a.image
      if (width !== b.image.width || height !== b.image.height) return { share: 1, drawn: b.canvas.toDataURL() }
      const out = a.pen.createImageData(width, height)
      window.pixelmatch(data, b.image.data, out.data, width, height, { threshold, diffMask: true })
      const shares: number[] = []
      for (let top = 0; top < height; top += part) {
        const end = Math.min(height, top + part) * width
        let different = 0
        for (let pixel = top * width; pixel < end; pixel += 1) if (out.data[4 * pixel + 3] !== 0) different += 1
        shares.push(different / (width * Math.min(part, height)))
      }
      window.pixelmatch(data, b.image.data, out.data, width, height, { threshold })
      a.pen.putImageData(out, 0, 0)
      return { share: Math.max(...shares), drawn: a.canvas.toDataURL() }
    },
    [[address(reference), address(taken)], COLOUR, PART * SCALE] as const,
  )

/** A contact sheet of all pages of a variant. */
async function drawSheet(variant: string, screenshots: Map<string, Buffer>) {
  const page = await browser.newPage({ viewport: { width: 1600, height: 800 } })
  const cells = [...screenshots].map(
    ([name, webp]) => `<figure><img src="${address(webp)}"><figcaption>${name}</figcaption></figure>`,
  )
  await page.setContent(
    `<style>body{display:flex;flex-wrap:wrap;gap:12px;font:12px sans-serif;background:#888}figure{margin:0}</style>${cells.join('')}`,
  )
  await page.screenshot({ path: path.join(RESULTS, `${variant}.png`), fullPage: true })
  await page.close()
}

const update = process.env.UPDATE_SCREENSHOTS === '1'

/** `chromium-headless-shell 156.0.8078.108` */
function thisBrowser(): string {
  const file = findHeadless() ?? ''
  const [version] = /[\d.]+/.exec(execFileSync(file, ['--version'], { encoding: 'utf8' })) ?? []
  return `${path.basename(file)} ${version}`
}
if (update || !existsSync(DRAWN_BY)) writeFileSync(DRAWN_BY, `${thisBrowser()}\n`)
const isComparable = readFileSync(DRAWN_BY, 'utf8').trim() === thisBrowser()

;(isComparable ? it : it.skip)('every page matches its reference screenshot', async () => {
  rmSync(RESULTS, { recursive: true, force: true })
  mkdirSync(RESULTS, { recursive: true })
  const page = await comparer()
  const different: string[] = []
  let most = 0
  for (const [variant, screenshots] of await takeAll()) {
    await drawSheet(variant, screenshots)
    mkdirSync(path.join(REFERENCES, variant), { recursive: true })
    for (const [name, taken] of screenshots) {
      const file = path.join(REFERENCES, variant, `${name}.webp`)
      if (update) {
        writeFileSync(file, taken)
        continue
      }
      if (!existsSync(file)) {
        different.push(`${variant}/${name}: no reference screenshot`)
        writeFileSync(path.join(RESULTS, `${variant}-${name}.webp`), taken)
        continue
      }
      const { share, drawn } = await compare(page, readFileSync(file), taken)
      most = Math.max(most, share)
      if (share <= TOLERANCE) continue
      different.push(`${variant}/${name}: ${(share * 100).toFixed(1)} % of its pixels`)
      writeFileSync(path.join(RESULTS, `${variant}-${name}.webp`), taken)
      writeFileSync(path.join(RESULTS, `${variant}-${name}-difference.png`), drawn.split(',')[1] ?? '', 'base64')
    }
  }
  console.log(`largest difference: ${(most * 100).toFixed(2)} % of a screenshot's pixels`)
  expect(different).toEqual([])
})
