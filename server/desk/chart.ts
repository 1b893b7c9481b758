import { type Html, html } from '../http/html'

const BAR = 28
const HEIGHT = 90

/** Vertical bars with their labels; the same figures are its text alternative. */
export function bars(values: readonly { label: string; value: number }[], name: string): Html {
  const most = Math.max(1, ...values.map(({ value }) => value))
  const width = Math.max(1, values.length) * BAR
  const text = values.map(({ label, value }) => `${label} ${value}`).join('，')
  return html`<div class="scroll card"><svg role="img" aria-label="${name}：${text}" width="${width}" height="${HEIGHT + 34}" viewBox="0 0 ${width} ${HEIGHT + 34}">
${values.map(({ label, value }, i) => {
  const high = Math.round((value / most) * HEIGHT)
  return html`<rect class="bar" x="${i * BAR + 4}" y="${HEIGHT - high + 14}" width="${BAR - 8}" height="${high}"></rect>
<text x="${i * BAR + BAR / 2}" y="${HEIGHT - high + 10}" text-anchor="middle" font-size="10">${value}</text>
<text x="${i * BAR + BAR / 2}" y="${HEIGHT + 28}" text-anchor="middle" font-size="9">${label}</text>`
})}</svg></div>`
}
