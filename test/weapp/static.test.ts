import budgets from '../../bench/budgets.json'
import { allPages } from './bundle'
import { built, notEs5, packageBytes, refusedStyles } from './static'

const kB = (bytes: number) => bytes / 1000

describe('the built mini-program', () => {
  it('has the 41 pages', () => {
    const [, text = ''] = built('app.json').find(([file]) => file === 'app.json') ?? []
    expect(allPages(JSON.parse(text))).toHaveLength(41)
  })

  it('fits its packages', () => {
    const { main, pagesA } = packageBytes()
    console.log(`main ${kB(main).toFixed(1)} kB, pagesA ${kB(pagesA).toFixed(1)} kB`)
    expect(kB(main)).toBeLessThanOrEqual(budgets.weapp.mainKb.max)
    expect(kB(pagesA)).toBeLessThanOrEqual(budgets.weapp.pagesAKb.max)
  })

  it('is ES5 in every script', () => {
    const bad = built('.js').map(([file, code]) => [file, notEs5(code)])
    expect(bad.length).toBeGreaterThan(41)
    expect(bad.filter(([, why]) => why)).toEqual([])
  })

  it('uses no style WeChat refuses', () => {
    const sheets = built('.wxss')
    expect(sheets.length).toBeGreaterThan(0)
    expect(sheets.flatMap(([file, css]) => refusedStyles(css).map((why) => `${file} ${why}`))).toEqual([])
  })
})

describe('the rules notice', () => {
  it.each(['const a = 1', 'a?.b', 'f`x`', 'x => x', 'async function f(){}'])('%s is not ES5', (code) => {
    expect(notEs5(code)).toBeDefined()
  })

  it.each([
    '*{margin:0}',
    '.a > *{margin:0}',
    '.w-1\\/2{width:50%}',
    ':is(.a,.b) .c{top:0}',
    '@media (min-width:1px){.a *{top:0}}',
    '.a{background:url(/img/a.png)}',
    '.a{background:no-repeat url("a.png") 0 0}',
  ])('%s', (css) => {
    expect(refusedStyles(css)).toHaveLength(1)
  })

  it('and let pass what is fine', () => {
    const fine =
      '.a:not(.b)::after{content:"*\\\\";background:url(data:image/png;base64,AA==)} .a[data-x="*"]{top:calc(1px * 2)}'
    expect(refusedStyles(fine)).toEqual([])
  })
})
