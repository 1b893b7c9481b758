import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createContentRepository } from '../domains/content/repository'
import type { DeskRole } from '../domains/staff/accounts'
import { atDesk } from './desk-session'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'

const shipped = path.join(__dirname, '../content')
const page = { accept: 'text/html' }
let testDatabase: TestDatabase
let server: TestServer
let dir: string
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'valuation-content-'))
  for (const name of ['articles', 'help', 'documents', 'pictures'])
    cpSync(path.join(shipped, name), path.join(dir, name), { recursive: true })
  testDatabase = await createTestDatabase()
  let now = Date.now()
  // polls are far enough apart for the files to be checked each time
  const realNow = () => (now += 3000)
  server = await startServer({ testDatabase, env: { CONTENT_DIR: dir, AI_FREE_PER_DAY: '7' }, realNow })
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
  rmSync(dir, { recursive: true, force: true })
})

const article = (name: string, text: string) => writeFileSync(path.join(dir, 'articles', `${name}.md`), text)
const detail = (id: string) => server.call('app', 'informationDetail', { id })
const head = (over = '') =>
  `---\ntitle: 试\ntype: NEWS\nsummary: 短\ncover: cover-fraud.webp\npublishAt: 2026-01-01\n${over}---\n`

describe('the shipped content', () => {
  const content = createContentRepository(shipped)

  test('no file is broken, and there is enough to read', () => {
    expect(content.issues()).toEqual([])
    expect(content.articles().length).toBeGreaterThanOrEqual(12)
    const questions = content.help().flatMap(({ items }) => items)
    expect(questions.length).toBeGreaterThanOrEqual(20)
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length)
    for (const { summary = '', html } of content.articles()) {
      expect(summary.length).toBeGreaterThan(8)
      expect(html.replace(/<[^>]*>/g, '').length).toBeGreaterThan(150)
    }
  })

  test('no forbidden claim, and links lead to pages that exist', () => {
    const routes = readFileSync(path.join(shipped, '../../src/router/routes.ts'), 'utf8')
    for (const folder of ['articles', 'help', 'documents'])
      for (const name of readdirSync(path.join(shipped, folder))) {
        const text = readFileSync(path.join(shipped, folder, name), 'utf8')
        expect(text).not.toMatch(/最高价|最准|第一名|官方推荐/)
        for (const [, link = ''] of text.matchAll(/\]\((\/[^)?]*)/g))
          expect(routes).toContain(`path: '${link.slice(1)}'`)
      }
  })

  test('pictures are small, modern and have a size', () => {
    for (const name of content.pictures()) {
      expect(name).toMatch(/\.(webp|avif)$/)
      expect(readFileSync(path.join(shipped, 'pictures', name)).length).toBeLessThan(40_000)
      expect(content.picture(name)?.width).toBeGreaterThan(600)
    }
  })
})

test('the number of free valuations in a text is the operator’s', async () => {
  expect((await detail('ai-or-human')).body.data.html).toContain('每天 7 次免费')
  const help = (await server.call('app', 'helpCenter', {})).body.data.flatMap(({ items }) => items)
  expect(help.map(({ answer }) => answer).join()).toMatch(/每天 7 次免费(?!.*\{)/)
})

test('news are listed by kind, the newest first, page by page; reading an article counts', async () => {
  const first = await server.call('app', 'informationPage', { type: 'GUIDE', pageSize: 3 })
  const second = await server.call('app', 'informationPage', { type: 'GUIDE', pageSize: 3, pageNo: 2 })
  const all = [...first.body.data.list, ...second.body.data.list]
  expect(new Set(all.map(({ id }) => id)).size).toBe(6)
  expect(all.map((a) => a.publishAt)).toEqual(all.map((a) => a.publishAt).sort((a, b) => b - a))
  const guide = await detail('anti-fraud-five')
  expect(guide.body.data).toMatchObject({ type: 'GUIDE', views: 1 })
  expect(guide.body.data.related).toHaveLength(3)
  expect((await detail('anti-fraud-five')).body.data.views).toBe(2)
  expect((await detail('nowhere')).status).toBe(404)
  expect((await detail('../../package')).status).toBe(400)
})

test('markup, scripts and addresses of other kinds in a text stay text', async () => {
  article(
    'evil',
    `${head()}<script>alert(1)</script>\n\n<img src=x onerror=alert(2)>\n\n[a](javascript:alert(3)) [b](data:text/html,x) [c](//evil.example) [d](https://good.example/)`,
  )
  const { html } = (await detail('evil')).body.data
  expect(html).not.toMatch(/<script|<img|javascript:[^<]*"|href="(data|\/\/)/)
  expect(html).toContain('&lt;script&gt;')
  expect(html).toContain('href="https://good.example/"')
})

test('a change shows without a restart; a broken file keeps the former content and is reported at the desk', async () => {
  article('hot', `${head()}旧文`)
  expect((await detail('hot')).body.data.html).toContain('旧文')
  article('hot', `${head()}新的文字`)
  expect((await detail('hot')).body.data.html).toContain('新的文字')
  article('hot', '没有头')
  expect((await detail('hot')).body.data.html).toContain('新的文字')
  article('never-whole', `${head()}![图](missing.webp)`)
  expect((await detail('never-whole')).status).toBe(404)
  const { see } = await admin()
  const { body } = await see('/desk/content')
  expect(body).toContain('articles/hot.md')
  expect(body).toContain('没有这张图片：missing.webp')
  rmSync(path.join(dir, 'articles/hot.md'))
  expect((await detail('hot')).status).toBe(404)
})

test('an empty folder is an empty catalogue and no error', async () => {
  const bare = mkdtempSync(path.join(tmpdir(), 'valuation-bare-'))
  const content = createContentRepository(bare)
  expect([content.articles(), content.help(), content.issues(), content.document('ABOUT')]).toEqual([
    [],
    [],
    [],
    undefined,
  ])
  rmSync(bare, { recursive: true })
})

test('help is found by words of question and answer', async () => {
  const found = async (keyword: string) =>
    (await server.call('app', 'helpCenter', { keyword })).body.data.flatMap(({ items }) => items.map((i) => i.question))
  expect((await found('')).length).toBeGreaterThanOrEqual(20)
  expect(await found('退款 到账')).toContain('退款多久到账')
  expect(await found('样本不足')).toContain('为什么显示“样本不足”')
  expect(await found('没有这样的词')).toEqual([])
})

test('pictures are served for ever under their version, nothing else of the folder is', async () => {
  const { cover } = (await detail('anti-fraud-five')).body.data
  const answer = await server.app.inject({ url: cover })
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp'])
  expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin')
  writeFileSync(path.join(dir, 'pictures/page.html'), '<script>1</script>')
  for (const url of [
    '/content/pictures/page.html',
    '/content/pictures/../articles/evil.md',
    '/content/pictures/none.webp',
  ])
    expect((await server.app.inject({ url, headers: page })).statusCode).toBe(404)
  const mini = await server.call(
    'app',
    'informationDetail',
    { id: 'anti-fraud-five' },
    { headers: { platform: 'weapp' } },
  )
  expect(mini.body.data.cover).toMatch(/^http:\/\/[^/]+\/content\/pictures\//)
})

let staffNo = 0
const somebody = (role: DeskRole) => atDesk(server, { name: `content${++staffNo}`, role })
const admin = () => somebody('ADMIN')

describe('banners and notices', () => {
  const shown = async () => (await server.call('app', 'banner', { place: 'HOME' })).body.data

  test('banners added, changed and removed at the desk show on the home page at once', async () => {
    const { see, send } = await admin()
    const before = await shown()
    expect(before.map((b) => b.linkType)).toEqual(['PAGE', 'PAGE', 'PAGE'])
    await send('/desk/content', { title: '今晚 23 点维护 <b>', picture: '', link: '', sort: '0' })
    const [notice] = await shown()
    expect(notice).toMatchObject({ title: '今晚 23 点维护 <b>', image: '', linkType: 'NONE' })
    expect((await see('/desk/content')).body).not.toContain('维护 <b>')
    await send(`/desk/content/${notice?.id}/save`, {
      title: '改过',
      picture: 'cover-fraud.webp',
      link: 'https://a.example/',
    })
    expect((await shown()).find((b) => b.id === notice?.id)).toMatchObject({ title: '改过', linkType: 'WEB' })
    await send(`/desk/content/${notice?.id}/off`)
    expect(await shown()).toEqual(before)
    expect((await see('/desk/log')).body).toContain('下架首页内容')
  })

  test('invalid input is named, keeps the typed values and changes nothing', async () => {
    const { send } = await admin()
    const before = await shown()
    const answer = await send('/desk/content', {
      title: '写了很久的标题',
      picture: 'none.webp',
      link: 'javascript:alert(1)',
      sort: '1000',
    })
    expect(answer.statusCode).toBe(400)
    for (const words of ['没有这张图片', '链接应为', '顺序应为', '写了很久的标题']) expect(answer.body).toContain(words)
    expect(await shown()).toEqual(before)
    for (const url of [
      'javascript:alert(1)',
      'javascript%3Aalert(1)',
      'http://a.example/',
      'https://a.example/&url=data:,',
    ]) {
      const web = await send('/desk/content', { title: '网页', link: `/pages/home/webview/index?title=a&url=${url}` })
      expect([url, web.statusCode]).toEqual([url, 400])
    }
    expect(await shown()).toEqual(before)
    for (const url of ['/desk/content/999999/off', '/desk/content/1e5/off', '/desk/content/1/drop'])
      expect((await send(url)).statusCode).toBe(404)
  })

  test('never with a picture that is gone', async () => {
    rmSync(path.join(dir, 'pictures/banner-safe.webp'))
    expect((await shown()).map((b) => b.title)).not.toContain('索要游戏验证码的，都是骗子')
  })

  test('appraisers do not see this page', async () => {
    const { see, send } = await somebody('APPRAISER')
    expect((await see('/desk/content')).statusCode).toBe(404)
    expect((await send('/desk/content', { title: '我的' })).statusCode).toBe(404)
  })
})
