import { accuracyChart } from './accuracy-chart'

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
