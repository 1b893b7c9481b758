import { type Html, html } from '../http/html'

/** px; fourteen days fit a phone */
const BAR = 22
const HEIGHT = 90
/** A label is wider than a bar: only every second is written, the last always. */
const LABEL_STEP = 2
const TEN_THOUSAND = 10_000

/** As short as a bar is narrow: `1.2万`; nothing for zero, whose missing bar says it. */
const short = (value: number) =>
  value === 0 ? '' : value >= TEN_THOUSAND ? `${Math.round(value / 1000) / 10}万` : String(value)

/** Vertical bars with their labels; the same figures are its text alternative. */
export function bars(values: readonly { label: string; value: number }[], name: string): Html {
  const most = Math.max(1, ...values.map(({ value }) => value))
  const width = Math.max(1, values.length) * BAR
  const text = values.map(({ label, value }) => `${label} ${value}`).join('，')
  return html`<div class="scroll card"><svg role="img" aria-label="${name}：${text}" width="${width}" height="${HEIGHT + 34}" viewBox="0 0 ${width} ${HEIGHT + 34}">
<rect class="axis" x="0" y="${HEIGHT + 14}" width="${width}" height="1"></rect>
${values.map(({ label, value }, i) => {
  const high = Math.round((value / most) * HEIGHT)
  const middle = i * BAR + BAR / 2
  return html`<rect class="bar" x="${i * BAR + 3}" y="${HEIGHT - high + 14}" width="${BAR - 6}" height="${high}"></rect>
<text x="${middle}" y="${HEIGHT - high + 10}" text-anchor="middle" font-size="10">${short(value)}</text>
${(values.length - 1 - i) % LABEL_STEP === 0 && html`<text x="${middle}" y="${HEIGHT + 28}" text-anchor="middle" font-size="9">${label}</text>`}`
})}</svg></div>`
}
