import { bars } from './chart'

const days = Array.from({ length: 14 }, (_, i) => ({ label: `10-${10 + i}`, value: i === 3 ? 0 : i * 1234 }))
const drawn = bars(days, '实收（元）').text
const numbers = (name: string) => Array.from(drawn.matchAll(new RegExp(` ${name}="(\\d+)"`, 'g')), ([, n]) => Number(n))

it('fourteen days fit a phone, with room between the labels and the last day named', () => {
  expect(numbers('width')[0]).toBeLessThanOrEqual(320)
  const labels = Array.from(drawn.matchAll(/<text x="(\d+)" y="118"[^>]*>([^<]+)/g), ([, x, text]) => [Number(x), text])
  expect(labels.at(-1)).toEqual([13 * 22 + 11, '10-23'])
  const gaps = labels.slice(1).map(([x], i) => Number(x) - Number(labels[i]?.[0]))
  expect(Math.min(...gaps)).toBeGreaterThan(36)
})

it('says every figure as text, and writes large ones short and zero not at all', () => {
  for (const { label, value } of days) expect(drawn).toContain(`${label} ${value}`)
  expect(drawn).toContain('>1.6万</text>')
  expect(drawn).not.toContain('>0</text>')
})
