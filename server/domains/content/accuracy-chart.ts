import { percent } from '@/contract/format'
import { escapeXml } from '../../rendering/xml'

/** One game's figures, as fractions. */
export interface ChartRow {
  name: string
  coverage: number
  medianError: number
}

/** share of sales that a range promises to contain */
const PROMISED = 0.8
/** the width that a card leaves on a phone of 375 px, so that 12 px of text are 12 px there */
const WIDTH = 311
const ROW = 40
const TOP = 26
/** visible on light and on dark cards */
const ink = { bar: '#3B76F6', track: '#8A94A633', mark: '#DB2777' }
/** colours of text, which are those of the theme (src/ui/tokens.scss) */
const STYLE =
  '<style>text{fill:#5f6a82}.mark{fill:#b5185f}' +
  '@media(prefers-color-scheme:dark){text{fill:#95a0b8}.mark{fill:#ff9cc6}}</style>'

/** The scale begins at zero: the lengths of two bars are compared as their shares. */
const across = (coverage: number) => WIDTH * coverage

const text = (x: number, y: number, words: string, anchor = 'start', kind = '') =>
  `<text x='${x}' y='${y}' font-size='12' text-anchor='${anchor}' class='${kind}'>${escapeXml(words)}</text>`

/** @param parts elements of the chart */
const svg = (height: number, parts: readonly string[]) =>
  `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${WIDTH} ${height}' width='${WIDTH}' height='${height}' font-family='sans-serif'>${STYLE}${parts.join('')}</svg>`

/** Chart of promised against achieved coverage: a bar for each game, a mark at what is promised. */
function coverageSvg(rows: readonly ChartRow[]): string {
  const top = 2 * TOP
  const height = top + rows.length * ROW
  const promised = Math.round(across(PROMISED))
  const bars = rows.map(({ name, coverage, medianError }, i) => {
    const y = top + i * ROW
    return [
      text(0, y + 14, name),
      text(WIDTH, y + 14, `${percent(coverage, 0)} · 误差中位数 ${percent(medianError, 0)}`, 'end'),
      `<rect x='0' y='${y + 20}' width='${WIDTH}' height='8' rx='4' fill='${ink.track}'/>`,
      `<rect x='0' y='${y + 20}' width='${across(coverage).toFixed(1)}' height='8' rx='4' fill='${ink.bar}'/>`,
      // the line is drawn at the bar only: through all rows it would cross their figures
      `<rect x='${promised - 1}' y='${y + 17}' width='2' height='14' fill='${ink.mark}'/>`,
    ].join('')
  })
  return svg(height, [
    text(0, 14, '区间覆盖率：实际成交落在价格区间内的比例', 'start', 'mark'),
    text(promised, TOP + 14, `承诺 ${percent(PROMISED, 0)}`, 'middle', 'mark'),
    ...bars,
  ])
}

/** A chart as a picture with the same figures as text, for the rich text of both platforms. */
function picture(svg: string, words: string): string {
  const data = Buffer.from(svg).toString('base64')
  return `<img class="doc-img" style="width:100%" alt="${escapeXml(words)}" src="data:image/svg+xml;base64,${data}">`
}

/** Promised and achieved coverage; '' without figures. */
export function accuracyChart(rows: readonly ChartRow[]): string {
  if (rows.length === 0) return ''
  const words = rows.map(
    ({ name, coverage, medianError }) =>
      `${name}区间覆盖率 ${percent(coverage, 0)}，半数估价误差 ±${percent(medianError, 0)} 内`,
  )
  return picture(coverageSvg(rows), `承诺覆盖率 ${percent(PROMISED, 0)}；${words.join('；')}`)
}
