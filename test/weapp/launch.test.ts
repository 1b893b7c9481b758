import type { GameItem } from '@/contract/types'
import budgets from '../../bench/budgets.json'
import { marketComputed } from '../fakes/market'
import { app, server, setUpPhone } from './setup'

setUpPhone()

describe('cold start', () => {
  it('draws the home page from the server within the setData budget, and what lies below when it is scrolled to', async () => {
    await marketComputed(server)
    await app.start()
    await app.see('首页')
    await app.see('王者荣耀')
    expect(await app.route()).toBe('pages/home/index')
    const { calls, bytes } = await app.counters()
    console.log(`launch: ${calls} setData, ${bytes} bytes`)
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(budgets.weapp.launchSetDataBytes.max)
    expect(calls).toBeLessThanOrEqual(budgets.weapp.launchSetDataCalls.max)
    expect(await app.sidewaysScroll()).toBe(0)
    // the rest is rendered on scrolling
    await app.page.evaluate(() => window.scrollBy(0, 300))
    await app.see('上架指南')
    console.log(`with all below: ${(await app.counters()).bytes} bytes`)
    await app.screenshot('test-results/home-weapp.png')
  })

  it('stays within the setData budget with a card of each game; further cards are rendered when the row is touched', async () => {
    const fetched = JSON.parse(await (await fetch(`${server.url}/weapp/prefetch`)).text())
    const key = Object.keys(fetched.all).find((name) => name.includes('excellent-report-list')) ?? ''
    const games: GameItem[] = fetched.all[Object.keys(fetched.all).find((name) => name.includes('hot/game')) ?? '']
    expect(games.length).toBe(8)
    const list = games.map(({ gameId, name: gameName }, i) => ({
      ...{
        reportNo: `GZ${i}`,
        gameId,
        gameName,
        title: `${gameName} · 安卓QQ · 贵族 V8 · 皮肤 213`,
        nickMasked: '峡**客',
      },
      ...{
        predictFen: 347_000,
        lowFen: 310_000,
        highFen: 398_000,
        percentile: 0.873,
        reason: '',
        createdAt: Date.now(),
      },
      ...{ soldFen: [320_000, 330_000, 345_000, 360_000, 370_000], synthetic: true },
    }))
    fetched.all[key] = { list, total: list.length, pageNo: 1, pageSize: list.length }
    await app.set({ prefetched: { text: JSON.stringify(fetched), age: 0 } })
    await app.start()
    await app.see('示例 1/8')
    await app.see('王者荣耀')
    const { bytes } = await app.counters()
    console.log(`launch with sample cards: ${bytes} bytes`)
    expect(bytes).toBeLessThanOrEqual(budgets.weapp.launchSetDataBytes.max)
    const cards = app.page.locator('.home-sample')
    expect(await cards.count()).toBe(2)
    await app.page.locator('.home-samples').dispatchEvent('touchstart')
    await app.see('示例 8/8')
    expect(await cards.count()).toBe(8)
  })

  it('requests nothing that WeChat has prefetched, unless it is old, broken or not ours', async () => {
    const text = await (await fetch(`${server.url}/weapp/prefetch`)).text()
    const asked = () => app.sent.map((url) => new URL(url).pathname).filter((path) => !path.includes('monitor'))
    const fetched = Object.keys(JSON.parse(text).all).map((key) => key.split(/[?\n]/)[0] ?? '')
    await app.set({ prefetched: { text, age: 900 } })
    await app.start()
    await app.see('王者荣耀')
    expect(asked().filter((path) => fetched.includes(path) || path.includes('open-pay-status'))).toEqual([])
    for (const prefetched of [
      { text, age: 31_000 },
      { text: '<html>', age: 0 },
      { text: '{"all":7}', age: 0 },
    ]) {
      app.sent.length = 0
      await app.set({ prefetched })
      await app.start()
      await app.see('王者荣耀')
      expect(asked()).toEqual(
        expect.arrayContaining([expect.stringContaining('hot/game'), expect.stringContaining('open-pay-status')]),
      )
    }
  })

  it('keeps the setData of an ordinary tap small, and gives screen readers the names and roles that no text shows', async () => {
    await app.start()
    const { page } = app
    expect(await page.getByRole('link', { name: '首页' }).count()).toBe(1)
    const chosen = () => page.locator('[role=tab][aria-selected=true], [role=radio][aria-checked=true]').allInnerTexts()
    const { calls, bytes } = await app.measure(() => app.tap('估价'))
    console.log(`tab 估价: ${calls} setData, ${bytes} bytes`)
    expect(await app.route()).toBe('pages/evaluation/index')
    expect(await chosen()).toEqual(['王者荣耀'])
    const back = await app.measure(() => app.tap('首页'))
    expect(back.calls).toBeLessThanOrEqual(budgets.weapp.tapSetDataCalls.max)
    // a choice is passed to a tab without URL parameters, which the host would refuse
    await app.tap(page.locator('.home-game', { hasText: '原神' }))
    expect(await app.route()).toBe('pages/evaluation/index')
    expect(await chosen()).toEqual(['原神'])
    await app.navigateTo('/pagesA/pages/home/news/index')
    await app.tap(page.getByRole('button', { name: '返回', exact: true }))
    await app.at('pages/evaluation/index')
  })

  it('reports a missing network, and renders by itself once there is one', async () => {
    await app.set({ online: false })
    await app.start()
    await app.see('网络未连接，请检查网络后点击屏幕重试')
    await app.set({ online: true })
    await app.see('王者荣耀')
    await app.gone('网络未连接，请检查网络后点击屏幕重试')
  })
})

describe('while the app runs', () => {
  const channel = () =>
    app.page.evaluate(() => {
      const kept = JSON.parse(JSON.parse(localStorage.getItem('weapp:app') ?? '""'))
      return [kept.data.channelCode, kept.data.reportUnlockRecordId]
    })

  it('opening another card is handled like the first one; returning from the background is not', async () => {
    await app.start('pages/home/index', { channelCode: 'first' })
    expect(await channel()).toEqual(['first', undefined])
    const REPORT = 'pages/evaluation/report/index'
    await app.reopen(REPORT, { channelCode: 'second', recordId: 'r_1', shareToken: 'tok' })
    expect(await channel()).toEqual(['second', 'r_1'])
    // the page of the link, behind the login, with its token
    const redirect = encodeURIComponent(`/${REPORT}?shareToken=tok`)
    expect(await app.stack()).toEqual([{ path: 'pagesA/pages/login/wx/index', query: { redirect } }])
    await app.page.evaluate(() => {
      window.probe.background()
      window.probe.foreground()
    })
    expect(await channel()).toEqual(['second', 'r_1'])
  })
})

it('the component gallery shows its version only in production and cannot be shared', async () => {
  await app.start('pagesA/pages/test')
  expect((await app.drawn()).text).toMatch(/^组件陈列\s*2\.0\.4 \(204\)$/)
  await app.page.evaluate(() => window.probe.share('menu'))
  expect(await app.problems()).toEqual(['pagesA/pages/test cannot be shared'])
  await app.page.evaluate(() => window.probe.problems.splice(0))
})

/** Cold start, share, scan (spec §2, "Route guard"). */
describe('pages that the host opens without asking the app', () => {
  it('a cold start on a protected page leads to the wx login page and back', async () => {
    await app.start('pages/evaluation/report/index', { orderId: '%E4%BC%B0', evil: '1' })
    const [top, ...under] = (await app.stack()).reverse()
    const redirect = encodeURIComponent('/pages/evaluation/report/index?orderId=%E4%BC%B0')
    expect([top, under]).toEqual([{ path: 'pagesA/pages/login/wx/index', query: { redirect } }, []])
  })

  it('the same for a page opened from outside while the app runs; open pages are shown', async () => {
    await app.start()
    await app.navigateTo('/pagesA/pages/home/helpCenter/index')
    expect(await app.route()).toBe('pagesA/pages/login/wx/index')
    await app.back()
    expect(await app.route()).toBe('pages/home/index')
    await app.navigateTo('/pagesA/pages/home/news/index')
    expect(await app.route()).toBe('pagesA/pages/home/news/index')
  })
})
