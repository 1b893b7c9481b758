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
const WIDTH = 320
const ROW = 40
const TOP = 26
/** readable on light and on dark cards, because a picture does not follow the theme */
const ink = { text: '#7B8494', bar: '#3B76F6', track: '#8A94A633', mark: '#DB2777' }

/** Coverage from 50 % to 100 %: a range that contains less than half of the sales has no place here. */
const across = (coverage: number) => (WIDTH * (Math.min(1, Math.max(0.5, coverage)) - 0.5)) / 0.5

const text = (x: number, y: number, words: string, anchor = 'start', fill = ink.text) =>
  `<text x='${x}' y='${y}' font-size='12' text-anchor='${anchor}' fill='${fill}'>${escapeXml(words)}</text>`

/** Chart of promised against achieved coverage: a bar for each game, a line at what is promised. */
function coverageSvg(rows: readonly ChartRow[]): string {
  const height = TOP + rows.length * ROW
  const promised = Math.round(across(PROMISED))
  const bars = rows.map(({ name, coverage, medianError }, i) => {
    const y = TOP + i * ROW
    return [
      text(0, y + 14, name),
      text(WIDTH, y + 14, `${percent(coverage, 0)} · 误差 ±${percent(medianError, 0)}`, 'end'),
      `<rect x='0' y='${y + 20}' width='${WIDTH}' height='8' rx='4' fill='${ink.track}'/>`,
      `<rect x='0' y='${y + 20}' width='${across(coverage).toFixed(1)}' height='8' rx='4' fill='${ink.bar}'/>`,
    ].join('')
  })
  return [
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${WIDTH} ${height}' width='${WIDTH}' height='${height}' font-family='sans-serif'>`,
    text(promised, 14, `承诺 ${percent(PROMISED, 0)}`, 'middle', ink.mark),
    ...bars,
    `<rect x='${promised - 1}' y='18' width='2' height='${height - 18}' fill='${ink.mark}'/>`,
    '</svg>',
  ].join('')
}

/** The chart as a picture with the same figures in words, for the rich text of both platforms; '' without figures. */
export function accuracyChart(rows: readonly ChartRow[]): string {
  if (rows.length === 0) return ''
  const words = rows.map(
    ({ name, coverage, medianError }) =>
      `${name}区间覆盖率 ${percent(coverage, 0)}，半数估价误差 ±${percent(medianError, 0)} 内`,
  )
  const alt = escapeXml(`承诺覆盖率 ${percent(PROMISED, 0)}；${words.join('；')}`)
  const data = Buffer.from(coverageSvg(rows)).toString('base64')
  return `<img class="doc-img" style="width:100%" alt="${alt}" src="data:image/svg+xml;base64,${data}">`
}
