import { readFileSync } from 'node:fs'
import path from 'node:path'
import { routes } from '@/router/routes'
import budgets from '../../bench/budgets.json'
import { officialApis } from './build'
import { allPages } from './bundle'
import { builtFor } from './dist'
import { checkBuild } from './static-checks/check-build'
import { type Build, jsonOf, packageBytes, readBuild } from './static-checks/files'
import { refusedStyles } from './static-checks/markup'

/** Static checks of the built mini-program, and a proof that each rule finds its violation. */

const project = readFileSync(path.resolve(__dirname, '../../project.config.json'), 'utf8')
const built = readBuild()
const settings = { apiBase: builtFor, official: officialApis() }

describe('the built mini-program', () => {
  it('passes the static checks', () => {
    expect(checkBuild(built, project, settings)).toEqual([])
  })

  it('has the pages of the route table and keeps the size limits of its packages', () => {
    const app = jsonOf<Parameters<typeof allPages>[0]>(built, 'app.json')
    expect(app && allPages(app)).toHaveLength(Object.keys(routes).length)
    const modes = JSON.parse(project).condition.miniprogram.list as { pathName: string }[]
    expect(modes).toHaveLength(5)
    expect(app && allPages(app)).toEqual(expect.arrayContaining(modes.map(({ pathName }) => pathName)))
    const { main, pagesA } = packageBytes(built)
    console.log(`main ${(main / 1000).toFixed(1)} kB, pagesA ${(pagesA / 1000).toFixed(1)} kB`)
    expect(main / 1000).toBeLessThanOrEqual(budgets.weapp.mainKb.max)
    expect(pagesA / 1000).toBeLessThanOrEqual(budgets.weapp.pagesAKb.max)
  })
})

/** A copy of the build into which a violation can be put. */
class Spoilt {
  readonly files: Build = new Map(built)
  project = project

  write(file: string, content: string | Buffer) {
    this.files.set(file, Buffer.from(content))
  }
  remove(file: string) {
    if (!this.files.delete(file)) throw new Error(`${file} is not in the build`)
  }
  text(file: string, change: (text: string) => string) {
    const before = this.files.get(file)?.toString() ?? ''
    const after = change(before)
    if (after === before) throw new Error(`${file} did not change`)
    this.write(file, after)
  }
  add(file: string, more: string) {
    this.text(file, (text) => text + more)
  }
  // biome-ignore lint/suspicious/noExplicitAny: any shape of JSON, to be corrupted
  json(file: string, change: (json: any) => void) {
    this.text(file, (text) => {
      const json = JSON.parse(text)
      change(json)
      return JSON.stringify(json)
    })
  }
  // biome-ignore lint/suspicious/noExplicitAny: any shape of JSON, to be corrupted
  app(change: (json: any) => void) {
    this.json('app.json', change)
  }
  // biome-ignore lint/suspicious/noExplicitAny: any shape of JSON, to be corrupted
  settings(change: (json: any) => void) {
    const json = JSON.parse(this.project)
    change(json)
    this.project = JSON.stringify(json)
  }
}

const HOME = 'pages/home/index'

type Seeded = [what: string, spoil: (b: Spoilt) => void, told: string]
const violations: Seeded[] = [
  // app.json
  ['app.json cut off', (b) => b.text('app.json', (t) => t.slice(0, -1)), 'app.json: not JSON'],
  ['a page named twice', (b) => b.app((a) => a.pages.push(HOME)), `page ${HOME} is named twice`],
  ['a page without its script', (b) => b.remove(`${HOME}.js`), `${HOME}.js: missing`],
  ['a page without its template', (b) => b.remove('pagesA/pages/test.wxml'), 'pagesA/pages/test.wxml: missing'],
  ['a page nobody named', (b) => b.app((a) => a.pages.splice(9, 1)), 'a page app.json does not name'],
  ['an unknown entry page', (b) => b.app((a) => (a.entryPagePath = 'pages/x')), 'entry page pages/x is unknown'],
  ['a main page in a sub-package', (b) => b.app((a) => a.pages.push('pagesA/pages/test')), 'lies in a sub-package'],
  ['six tabs', (b) => b.app((a) => a.tabBar.list.push(...a.tabBar.list)), '6 tabs'],
  [
    'a tab in a sub-package',
    (b) => b.app((a) => (a.tabBar.list[0].pagePath = 'pagesA/pages/test')),
    'tab pagesA/pages/test is not a page of the main package',
  ],
  ['a tab without words', (b) => b.app((a) => (a.tabBar.list[1].text = '')), 'has no text'],
  ['a missing icon', (b) => b.app((a) => (a.tabBar.list[0].iconPath = 'i.png')), 'tab icon i.png is missing'],
  [
    'a heavy icon',
    (b) => {
      b.app((a) => (a.tabBar.list[0].iconPath = 'i.png'))
      b.write('i.png', Buffer.alloc(41 * 1024))
    },
    'tab icon i.png is larger than 40 KB',
  ],
  ['no own tab bar', (b) => b.remove('custom-tab-bar/index.js'), 'custom-tab-bar/index.js: missing'],
  ['everything injected at once', (b) => b.app((a) => delete a.lazyCodeLoading), 'lazyCodeLoading'],
  ['no preload', (b) => b.app((a) => delete a.preloadRule), 'no preloadRule'],
  ['preload of nothing', (b) => b.app((a) => (a.preloadRule[HOME].packages = ['x'])), 'unknown package x'],
  ['preload at no page', (b) => b.app((a) => (a.preloadRule.x = {})), 'preloadRule of unknown page x'],
  ['a timeout in words', (b) => b.app((a) => (a.networkTimeout.request = '60s')), 'networkTimeout.request'],
  ['a misspelt key', (b) => b.app((a) => (a.subPackage = [])), 'unknown or unused key subPackage'],
  // sitemap and theme
  ['no sitemap', (b) => b.app((a) => delete a.sitemapLocation), 'no sitemapLocation'],
  ['a lost sitemap', (b) => b.remove('sitemap.json'), 'sitemap.json: no list of rules'],
  [
    'reports to be indexed',
    (b) => b.json('sitemap.json', (s) => s.rules.unshift({ action: 'allow', page: 'pages/evaluation/report/index' })),
    'pages/evaluation/report/index is not open to everybody',
  ],
  ['an open sitemap', (b) => b.json('sitemap.json', (s) => s.rules.pop()), 'the last rule must disallow'],
  ['a sitemap of the past', (b) => b.json('sitemap.json', (s) => (s.rules[0].page = 'old')), 'unknown page old'],
  ['a sitemap misspelt', (b) => b.json('sitemap.json', (s) => (s.rules[0].action = 'alow')), 'unknown action alow'],
  ['a colour of day only', (b) => b.json('theme.json', (t) => delete t.dark.bg), 'no dark value of @bg'],
  ['no theme', (b) => b.remove('theme.json'), 'theme.json: missing'],
  ['a theme without dark mode', (b) => b.app((a) => delete a.darkmode), 'colours by @name need darkmode'],
  // packages
  ['a package above 2 MB', (b) => b.write('pagesA/big.js', `var a='${'x'.repeat(2.1e6)}'`), 'package pagesA:'],
  ['a heavy picture', (b) => b.write('pagesA/p.jpg', Buffer.alloc(201 * 1024)), 'picture above 200 KB'],
  ['a source map', (b) => b.write('app.js.map', '{}'), 'app.js.map: does not belong'],
  ['a key file', (b) => b.write('private.wx1.key', 'x'), 'private.wx1.key: does not belong'],
  ['a lost component', (b) => b.remove('comp.json'), '<comp> is not a component'],
  [
    'a misspelt page key',
    (b) => b.json(`${HOME}.json`, (j) => (j.enablePullDown = true)),
    'unknown key enablePullDown',
  ],
  // scripts
  ['an arrow function', (b) => b.add('app.js', ';[].map(x=>x)'), 'app.js: not ES5'],
  ['an optional chain', (b) => b.add('common.js', ';var q=wx?.env'), 'common.js: not ES5'],
  ['a template text', (b) => b.add('common.js', ';var q=`a`'), 'common.js: not ES5'],
  ['eval', (b) => b.add('app.js', ';eval("1")'), 'app.js: eval'],
  ['new Function', (b) => b.add('app.js', ';new Function("a","return a")'), 'code from text: Function'],
  ['a timer of text', (b) => b.add('app.js', ';setTimeout("a()",1)'), 'code from text: setTimeout'],
  ['debugger', (b) => b.add('app.js', ';debugger'), 'debugger statement'],
  ['document', (b) => b.add('common.js', ';document.title="x"'), 'browser global document'],
  ['localStorage in a function', (b) => b.add('common.js', ';(function(){localStorage.a=1})()'), 'global localStorage'],
  ['URL', (b) => b.add('app.js', ';new URL("a","https://taro.com")'), 'browser global URL'],
  ['a function WeChat has not', (b) => b.add('app.js', ';wx.getSystemInfoFast()'), 'there is no wx.getSystemInfoFast'],
  ['a withdrawn function', (b) => b.add('app.js', ';wx.getUserProfile({})'), 'wx.getUserProfile was withdrawn'],
  ['a lost module', (b) => b.add('app.js', ';require("./gone")'), 'requires gone.js, which is missing'],
  ['main needs pagesA', (b) => b.add('app.js', ';require("./pagesA/pages/test")'), 'of a sub-package'],
  ['a field left under the keyboard', (b) => b.add('app.js', ';var o={adjustPosition:!1}'), 'the keyboard covers'],
  // what is declared
  [
    'the camera undeclared',
    (b) => b.add('common.js', ';wx.createCameraContext()'),
    'does not name createCameraContext',
  ],
  ['the place undeclared', (b) => b.add('common.js', ';wx.getLocation({})'), 'requiredPrivateInfos lacks getLocation'],
  ['an avatar undeclared', (b) => b.add('common.js', ';var o={openType:"chooseAvatar"}'), 'does not name chooseAvatar'],
  [
    'declared and not used',
    (b) => b.app((a) => (a.requiredPrivateInfos = ['chooseAddress'])),
    'names chooseAddress, which nothing calls',
  ],
  [
    'the album no longer used',
    (b) => {
      for (const file of b.files.keys())
        if (file.endsWith('.js') && b.files.get(file)?.includes('chooseMedia') && file !== 'taro.js')
          b.text(file, (t) => t.replaceAll('chooseMedia', 'chooseNothing'))
    },
    'names chooseMedia, which nothing calls',
  ],
  ['another domain', (b) => b.add('app.js', ';var u="https://track.example.com/p"'), 'is not a registered domain'],
  ['no encryption', (b) => b.add('app.js', ';var u="ws://chat.example.com"'), 'ws://chat.example.com'],
  ["the server's api in the app", (b) => b.add('app.js', ';var u="https://api.weixin.qq.com/x"'), 'is for servers'],
  ['an AppSecret', (b) => b.add('app.js', ';var s="0123456789abcdef0123456789abcdef"'), 'looks like an AppSecret'],
  ['a private key', (b) => b.add('app.js', ';var k="-----BEGIN RSA PRIVATE KEY-----"'), 'a private key'],
  ['a cloud key', (b) => b.add('app.js', ';var k="AKIDz8krbsJ5yKBZQpn74WFk"'), 'a cloud access key'],
  ...['requestVirtualPayment', 'signData', '/common/open-pay-status'].map(
    (name): Seeded => [
      `virtual goods without ${name}`,
      (b) => {
        for (const [file, content] of b.files)
          if (file.endsWith('.js') && content.includes(name)) b.text(file, (t) => t.replaceAll(name, 'gone'))
      },
      'virtual goods:',
    ],
  ),
  // templates and styles
  ['an unknown tag', (b) => b.add('base.wxml', '<div></div>'), 'base.wxml: unknown tag <div>'],
  ['a lost template', (b) => b.text(`${HOME}.wxml`, (t) => t.replace('base', 'bass')), 'bass.wxml is missing'],
  ['a tag left open', (b) => b.add('base.wxml', '<view>'), 'wcc: '],
  ['an expression left open', (b) => b.add('base.wxml', '<view class="{{a"></view>'), 'wcc: '],
  ['an ear nobody has', (b) => b.add('base.wxml', '<view bindtap="onTap"></view>'), 'nobody listens as onTap'],
  ['a universal selector', (b) => b.add('common.wxss', '*{margin:0}'), 'universal selector'],
  ['a universal child', (b) => b.add('common.wxss', '@media (min-width:1px){.a > *{top:0}}'), 'universal selector'],
  ['an escaped class', (b) => b.add('common.wxss', '.w-1\\/2{width:50%}'), 'escaped name'],
  ['a selector list', (b) => b.add('common.wxss', ':is(.a,.b) .c{top:0}'), 'selector list function'],
  ['a local picture', (b) => b.add('common.wxss', '.a{background:url(/a.png)}'), 'local file'],
  ['a lost sheet', (b) => b.remove('common.wxss'), 'imports ./common.wxss, which is missing'],
  ['a brace too few', (b) => b.add('common.wxss', '.a{top:0'), 'common.wxss: not CSS'],
  // project.config.json
  ['another folder', (b) => b.settings((p) => (p.miniprogramRoot = 'dist/')), 'miniprogramRoot'],
  ['a wrong appid', (b) => b.settings((p) => (p.appid = 'wx1')), 'appid wx1'],
  ['domains unchecked', (b) => b.settings((p) => (p.setting.urlCheck = false)), 'urlCheck is off'],
  ['compiled twice', (b) => b.settings((p) => (p.setting.es6 = true)), 'es6 is on'],
  ['an old base library', (b) => b.settings((p) => (p.libVersion = '2.30.0')), 'libVersion 2.30.0 is too old'],
]

describe('the static checks find', () => {
  it.each(violations)('%s', (_, spoil, told) => {
    const build = new Spoilt()
    spoil(build)
    expect(checkBuild(build.files, build.project, settings).join('\n')).toContain(told)
  })

  it('files that must not be uploaded', () => {
    const told = checkBuild(built, project, { ...settings, release: true }).join('\n')
    for (const what of ['set API_BASE', 'built without SIGN_SECRET', 'the appid of a visitor'])
      expect(told).toContain(what)
  })

  it('nothing in a correct build', () => {
    const fine =
      '.a:not(.b)::after{content:"*\\\\";background:url(data:image/png;base64,AA==)} .a[data-x="*"]{top:calc(1px * 2)}'
    expect(refusedStyles(fine, 'fine.wxss')).toEqual([])
  })
})
