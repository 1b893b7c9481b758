/** Accessibility of a page: axe-core's findings, and checks that axe-core does not have. */
import { readFileSync } from 'node:fs'
import type { AxeResults, Result } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import type { RunningServer } from '../fakes/server'
import { openPhone, type Phone } from './browser'
import { handTo, type Screen, setLargest, show, type World } from './screens'

const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** The specification (§5) forbids zooming; our text sizes replace it. */
const rules = { 'meta-viewport': { enabled: false } }

const grave = ({ impact }: Result) => impact === 'serious' || impact === 'critical'

/** One line for each visible node with a serious or critical finding. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(
    (options) => (window as unknown as { axe: { run(o: object): Promise<AxeResults> } }).axe.run(options),
    { rules, resultTypes: ['violations'] },
  )
  const why = ({ target, html, any }: Result['nodes'][number]) =>
    `${target.join(' ')} ${html.replace(/\s+/g, ' ').slice(0, 160)} ${any[0]?.message ?? ''}`
  return violations.filter(grave).flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${why(node)}`))
}

/** Placeholders with less than 4.5:1, which axe does not measure. */
const faint = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const parts = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number)
    const light = (colour: string) => {
      const [r = 0, g = 0, b = 0] = parts(colour).map((v) =>
        v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const ground = (el: Element | null): string => {
      if (!el) return 'rgb(255, 255, 255)'
      const own = getComputedStyle(el).backgroundColor
      return (parts(own)[3] ?? 1) > 0 ? own : ground(el.parentElement)
    }
    return [...document.querySelectorAll<HTMLInputElement>('input, textarea')]
      .filter((el) => el.placeholder !== '' && el.getClientRects().length > 0)
      .flatMap((el) => {
        const { color, opacity } = getComputedStyle(el, '::placeholder')
        const [a, b] = [light(color), light(ground(el))]
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
        return ratio >= 4.5 && opacity === '1'
          ? []
          : [`placeholder ${el.placeholder}: ${ratio.toFixed(2)}:1 ${color} on ${ground(el)}`]
      })
  })

/**
 * Texts in a column of one or two letters, outside the screen, or cut off at the side without an ellipsis, as caused by
 * large text in rows that do not wrap.
 */
const crowded = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scrolls = (el: Element | null): boolean =>
      el !== null &&
      (/auto|scroll/.test(getComputedStyle(el).overflowX) ? el.scrollWidth > el.clientWidth : scrolls(el.parentElement))
    /** Left and right edge of what ancestors that do not scroll leave of an element, by element. */
    const cuts = new Map<Element, readonly [number, number]>()
    const whole = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const
    const edgesOf = (el: Element | null): readonly [number, number] => {
      const known = el ? cuts.get(el) : whole
      if (known || !el) return known ?? whole
      const { overflowX, textOverflow, position } = getComputedStyle(el)
      let edges: readonly [number, number] = whole
      if (!/auto|scroll/.test(overflowX) && textOverflow !== 'ellipsis' && position !== 'fixed') {
        edges = edgesOf(el.parentElement)
        const box = el.getBoundingClientRect()
        // elements of 2 px or less are for screen readers
        if (/hidden|clip/.test(overflowX) && box.width > 2)
          edges = [Math.max(edges[0], box.left), Math.min(edges[1], box.right)]
      }
      cuts.set(el, edges)
      return edges
    }
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const words = node.textContent?.trim() ?? ''
      const el = node.parentElement
      if (!el || words.length < 4 || !el.checkVisibility()) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const { width, height, left, right } = range.getBoundingClientRect()
      const letter = Number.parseFloat(getComputedStyle(el).fontSize)
      if (width > 0 && width < 2.5 * letter && height > 4 * letter) found.push(`in a column: ${words.slice(0, 20)}`)
      if (
        width > 0 &&
        (right > innerWidth + 1 || left < -1) &&
        getComputedStyle(el).textOverflow !== 'ellipsis' &&
        !scrolls(el)
      )
        found.push(`leaves the screen: ${words.slice(0, 20)}`)
      const [from, to] = edgesOf(el)
      if (width > 0 && (left < from - 1 || right > to + 1)) found.push(`is cut off: ${words.slice(0, 20)}`)
    }
    return found
  })

/** Icons whose style has not been loaded: a square in the colour of the text. */
const undrawn = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll('.ui-icon'), (el) =>
      getComputedStyle(el).webkitMaskImage.startsWith('url(') ? [] : [`not drawn: ${el.className}`],
    ).flat(),
  )

export interface Variant {
  dark?: boolean
  largest?: boolean
  width?: number
}

/** Audits every screen in that variant. @returns findings by screen; screens without any are omitted */
export async function audit(
  browser: Browser,
  server: RunningServer,
  world: World,
  screens: Record<string, Screen>,
  { largest = false, ...variant }: Variant = {},
) {
  const phones = new Map<string, Phone>()
  const phoneOf = async (as: Screen['as'] = 'owner') => {
    const known = phones.get(as)
    if (known) return known
    const phone = await openPhone(browser, variant)
    phones.set(as, phone)
    // the page's CSP blocks injected scripts, but not those of the debugger
    await phone.page.addInitScript(source)
    await handTo(phone, server, world, as)
    if (largest) await setLargest(phone.page, server)
    return phone
  }
  const found: Record<string, string[]> = {}
  for (const [name, screen] of Object.entries(screens)) {
    const { page } = await phoneOf(screen.as)
    try {
      await show(page, server, screen)
    } catch (e) {
      found[name] = [`${page.url()} ${String(e).slice(0, 300)}`]
      continue
    }
    const all = [...(await findings(page)), ...(await faint(page)), ...(await crowded(page)), ...(await undrawn(page))]
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    if (wide > 0) all.push(`scrolls sideways by ${wide} px`)
    if (all.length > 0) found[name] = all
    if (process.env.SCREENSHOTS)
      await page.screenshot({
        path: `test-results/e2e/variant/${process.env.SCREENSHOTS}${variant.width ?? ''}${variant.dark ? 'd' : ''}${largest ? 'l' : ''}-${name}.png`,
        scale: 'css',
      })
  }
  for (const { context } of phones.values()) await context.close()
  return found
}
