import { app, setUpPhone } from './setup'

setUpPhone()

describe('the harness is as strict as a device', () => {
  beforeEach(() => app.start())

  /**
   * Runs `code` as a file of the app. @returns its exports. As text, because jest would turn the import into require.
   */
  const moduleSays = (code: string) =>
    app.page.evaluate(`import('/runtime/modules').then(({ createRequire }) => {
      const { names } = hostCode
      const files = new Function(...names, 'return {"a.js": (require, module) => {' + ${JSON.stringify(code)} + '}}')
      return createRequire({ names, files }, hostBundle.languageGlobals, { wx: {} })('a.js')
    })`)

  it('hides browser APIs that a device lacks, and keeps the language', async () => {
    const names = [
      'window',
      'document',
      'URL',
      'AbortController',
      'crypto',
      'atob',
      'fetch',
      'MessageChannel',
      'Intl',
      'self',
    ]
    const types = names.map((n) => `typeof ${n}`).join(',')
    expect(await moduleSays(`module.exports = [${types}]`)).toEqual(names.map(() => 'undefined'))
    expect(
      await moduleSays('module.exports = [typeof Map, typeof setTimeout, typeof wx, typeof globalThis.document]'),
    ).toEqual(['function', 'function', 'object', 'undefined'])
  })

  it('enforces the limits of the page stack', async () => {
    const go = (url: string) =>
      app.navigateTo(url).then(
        () => 'ok',
        (e: Error) => e.message,
      )
    expect(await go('/pages/mine/index')).toContain('can not navigateTo a tabbar page')
    expect(await go('/pages/nowhere')).toContain('is not found')
    const article = '/pagesA/pages/home/article/index?key=PRIVACY'
    for (let depth = 2; depth <= 10; depth++) expect(await go(article)).toBe('ok')
    expect(await go(article)).toContain('webview count limit exceed')
    // the app handles the limit: the eleventh page replaces the tenth
    await app.see('我们收集什么，为什么')
    await app.tap('未成年人说明')
    await app.see('给家长的话')
    expect(await app.stack()).toHaveLength(10)
    await app.back()
    await app.see('我们收集什么，为什么')
    expect(await app.stack()).toHaveLength(9)
  })

  it('does not take a suspended page with pending work for idle', async () => {
    const quiet = await app.page.evaluate(() => {
      window.probe.active()
      const end = performance.now() + 400
      while (performance.now() < end);
      return window.probe.quietFor()
    })
    expect(quiet).toBe(0)
    await app.idle()
  })

  it('refuses to read wx.router and wx.worklet, as WeChat does for a page opened from Moments', async () => {
    for (const name of ['router', 'worklet'])
      await expect(app.page.evaluate((key) => window.probe.wx(key), name)).rejects.toThrow(`${name}:fail rejected`)
    await app.see('王者荣耀')
  })

  it('reports an API that is not implemented', async () => {
    const text = await app.page.evaluate(() => {
      try {
        window.probe.wx('startWifi')
        return 'nothing thrown'
      } catch (e) {
        return String(e)
      }
    })
    expect(text).toContain('wx.startWifi is not stubbed')
    expect(await app.problems()).toEqual(['wx.startWifi is not stubbed'])
    await app.page.evaluate(() => window.probe.problems.splice(0))
  })
})
