import { accuracyChart, errorByPriceChart } from './accuracy-chart'

const drawn = (html: string) => Buffer.from(/base64,([^"]+)/.exec(html)?.[1] ?? '', 'base64').toString()

it('draws a bar for each game against what is promised, and says the same in words', () => {
  const html = accuracyChart([
    { name: '王者荣耀', coverage: 0.81, medianError: 0.12 },
    { name: '<原神>', coverage: 0.62, medianError: 0.2 },
  ])
  expect(html).toContain(
    'alt="承诺覆盖率 80%；王者荣耀区间覆盖率 81%，半数估价误差 ±12% 内；&lt;原神&gt;区间覆盖率 62%',
  )
  const svg = drawn(html)
  for (const words of ['区间覆盖率：实际成交落在价格区间内的比例', '承诺 80%', '81% · 误差中位数 12%', '&lt;原神&gt;'])
    expect(svg).toContain(words)
  // shares of a scale from 0 % to 100 %, 311 px wide
  for (const place of ["x='248'", "width='251.9'", "width='192.8'"]) expect(svg).toContain(place)
})

it('draws nothing without figures', () => expect(accuracyChart([])).toBe(''))

it('draws the error of cheap, middle and expensive accounts, and says it in words', () => {
  const bracket = (fromFen: number, untilFen: number, medianError: number) => ({
    fromFen,
    untilFen,
    n: 60,
    medianError,
  })
  const brackets = [bracket(10_000, 79_000, 0.2), bracket(80_000, 199_000, 0.12), bracket(200_000, 900_000, 0.5)]
  const html = errorByPriceChart([{ name: '王者荣耀', brackets }])
  expect(html).toContain('王者荣耀：¥800 以下 ±20% 内，¥800–2,000 ±12% 内，¥2,000 以上 ±50% 内')
  // half of a track of 97 px, less, and no more than the whole
  for (const width of ['48.5', '29.1', '97.0']) expect(drawn(html)).toContain(`width='${width}'`)
  expect(errorByPriceChart([])).toBe('')
})
