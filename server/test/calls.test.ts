import { type CallDef, type CallGroup, calls } from '@/contract/calls'
import { initialsOf, letterOf } from '../domains/games/pinyin'
import { createTestDatabase, setupServer, startServer } from './harness'

const server = setupServer({ games: ['hok', 'val', 'hsr', 'delta'] })

const all = (Object.entries(calls) as [CallGroup, Record<string, CallDef>][]).flatMap(([group, defs]) =>
  Object.entries(defs).map(([name, def]) => ({ name: `${group}.${name}`, ...def })),
)

test.each(all)('$name is bound: it knows its access and its schema', async ({ method, path, access }) => {
  const anonymous = await server.send(method, path, { nonsense: 1 })
  const expected = access === 'user' ? [401, 'NOT_LOGGED_IN'] : [400, 'VALIDATION_FAILED']
  expect([anonymous.status, anonymous.body.code]).toEqual(expected)
})

describe('games', () => {
  const found = async (keyword: string) =>
    (await server.call('evaluation', 'gameList', { keyword })).body.data.map((g) => g.gameId)

  test.each([
    ['', ['hok', 'delta', 'hsr', 'val']],
    ['王者', ['hok']],
    ['wzry', ['hok']],
    ['WZ', ['hok']],
    ['wangzhe', ['hok']],
    ['wang zhe', ['hok']],
    ['星穹', ['hsr']],
    ['xqtd', ['hsr']],
    ['Valo', ['val']],
    ['崩铁', ['hsr']],
    ['xt', ['hsr']],
    ['没有这个游戏', []],
    ['%', []],
  ])('the keyword %p finds %j', async (keyword, ids) => {
    expect(await found(keyword)).toEqual(ids)
  })

  test('hot games are listed in their order, at most as many as requested', async () => {
    const hot = await server.call('evaluation', 'hotGame', { limit: 2 })
    expect(hot.body.data.map((g) => [g.gameId, g.letter, g.hot])).toEqual([
      ['hok', 'W', true],
      ['delta', 'S', true],
    ])
  })

  test('a requested game is stored once per name, at most five a day', async () => {
    const { token } = await server.login('13900139077')
    const request = async (gameName: string, remark?: string) =>
      (await server.call('evaluation', 'saveGameFeedback', { gameName, platform: '安卓', remark }, { token })).body
    const [first, again] = await Promise.all([request('第五人格'), request(' 第五 人格 ')])
    expect(again.data.id).toBe(first.data.id)
    for (const name of ['逆水寒', '蛋仔派对', '明日方舟', '绝区零']) expect((await request(name)).success).toBe(true)
    expect(await request('光遇')).toMatchObject({
      code: 'REQUEST_TOO_BUSY_PLEASE_WAIT',
      msg: expect.stringContaining('5 个游戏'),
    })
    expect((await request('绝区零')).success).toBe(true)
    expect((await request(' 光 ')).code).toBe('VALIDATION_FAILED')
    expect((await request('光遇', '长'.repeat(101))).code).toBe('VALIDATION_FAILED')
  })

  test('a pasted listing fills the form; a link alone is recognised and never opened', async () => {
    const verify = async (req: { link?: string; number?: string; text?: string }) =>
      (await server.call('evaluation', 'linkVerify', { gameId: 'hok', ...req })).body
    const read = await verify({ text: 'https://www.pzds.com/goods/1 安卓QQ 皮肤260' })
    expect(read.data).toMatchObject({ ok: true, platform: '盼之', parsed: { server: 'android_qq', skinCount: 260 } })
    expect(read.data.missing).toContain('heroCount')
    expect(read.data.askFen).toBeUndefined()
    expect((await verify({ text: '安卓QQ 皮肤260 一口价 ¥3,200' })).data).toMatchObject({ askFen: 320_000 })
    expect((await verify({ text: '你好' })).data).toMatchObject({ ok: false, parsed: {} })
    for (const [req, words] of [
      [{ link: 'https://www.pzds.com/goods/1' }, '这是盼之的链接。我们不会打开第三方平台的页面'],
      [{ number: 'SJ20250607' }, '我们不会打开第三方平台的页面'],
      [{ text: '无畏契约 皮肤80' }, '像是无畏契约的商品'],
    ] as const) {
      const { code, msg } = await verify(req)
      expect([code, msg]).toEqual(['LINK_UNSUPPORTED', expect.stringContaining(words)])
    }
    expect((await verify({})).code).toBe('VALIDATION_FAILED')
  })

  test('a listing pasted before a game is chosen: its text names the game, or the user is asked', async () => {
    const verify = async (text: string) => (await server.call('evaluation', 'linkVerify', { text })).body
    expect((await verify('星铁 官服 星琼 3200')).data).toMatchObject({ gameId: 'hsr', parsed: { jade: 3200 } })
    const read = await verify('【王者荣耀】安卓QQ 皮肤260')
    expect(read.data).toMatchObject({ gameId: 'hok', parsed: { server: 'android_qq', skinCount: 260 } })
    for (const [text, words] of [
      ['安卓QQ 皮肤260', '没有认出是哪个游戏'],
      ['王者荣耀 无畏契约 一起出', '提到了'],
      ['https://www.pzds.com/goods/1', '这是盼之的链接'],
    ] as const) {
      const { code, msg } = await verify(text)
      expect([code, msg]).toEqual(['LINK_UNSUPPORTED', expect.stringContaining(words)])
    }
  })

  test('the form config arrives as it is stored, the servers are its first price factor', async () => {
    const row = await server.database.db
      .selectFrom('games')
      .select('config')
      .where('game_id', '=', 'hok')
      .executeTakeFirstOrThrow()
    const config = await server.call('evaluation', 'gameConfig', { gameId: 'hok', mode: 'AI' })
    expect(config.body.data).toEqual({ ...row.config, screenshots: true })
    const servers = await server.call('evaluation', 'gameServer', { gameId: 'hok' })
    expect(servers.body.data).toEqual(row.config.fields.find((f) => f.key === 'server')?.options)
    const detail = await server.call('evaluation', 'gameDetail', { gameId: 'hok' })
    expect(detail.body.data).toMatchObject({ name: '王者荣耀', readList: row.config.readList })
  })

  test('an unknown game is 404; a game in maintenance stays listed but has no form', async () => {
    expect((await server.call('evaluation', 'gameConfig', { gameId: 'nothing', mode: 'AI' })).status).toBe(404)
    const { db } = server.database
    const set = async (status: string) => {
      const { config } = await db
        .selectFrom('games')
        .select('config')
        .where('game_id', '=', 'val')
        .executeTakeFirstOrThrow()
      await db
        .updateTable('games')
        .set({ config: JSON.stringify({ ...config, status }) })
        .where('game_id', '=', 'val')
        .execute()
    }
    await set('MAINTAIN')
    expect(await found('val')).toEqual(['val'])
    const form = await server.call('evaluation', 'gameConfig', { gameId: 'val', mode: 'AI' })
    expect([form.status, form.body.code]).toEqual([200, 'GAME_OFFLINE'])
    await set('OFFLINE')
    expect(await found('val')).toEqual([])
  })
})

test.each([
  ['王者荣耀', 'wzry', 'W'],
  ['和平精英', 'hpjy', 'H'],
  ['三角洲行动', 'sjzxd', 'S'],
  ['原神', 'ys', 'Y'],
  ['崩坏：星穹铁道', 'bhxqtd', 'B'],
  ['英雄联盟手游', 'yxlmsy', 'Y'],
  ['永劫无间', 'yjwj', 'Y'],
  ['无畏契约', 'wwqy', 'W'],
  ['明日方舟', 'mrfz', 'M'],
  ['逆水寒', 'nsh', 'N'],
  ['天涯明月刀', 'tymyd', 'T'],
  ['若鸟', 'rn', 'R'],
  ['DOTA2', 'dota2', 'D'],
  ['2048', '2048', '#'],
])('initials of %s are %s, its letter %s', (name, initials, letter) => {
  expect([initialsOf(name), letterOf(name)]).toEqual([initials, letter])
})

describe('the sandbox', () => {
  test('moves the clock forward only, and only by numbers', async () => {
    const post = (payload: object) => server.app.inject({ method: 'POST', url: '/sandbox/clock', payload })
    const before = server.clock.now()
    expect((await post({ advanceMs: 60_000 })).statusCode).toBe(200)
    expect(server.clock.now() - before).toBeGreaterThanOrEqual(60_000)
    for (const bad of [{ advanceMs: -1 }, { advanceMs: '5' }, {}]) expect((await post(bad)).statusCode).toBe(400)
  })

  test('shows the newest code of a number', async () => {
    await server.call('user', 'sendSmsCode', { mobile: '13800138000', scene: 1 })
    const answer = await server.app.inject('/sandbox/sms?mobile=13800138000')
    expect(answer.json()).toEqual({ code: server.sms.newestCode('13800138000') })
    expect((await server.app.inject('/sandbox/sms?mobile=13800138001')).statusCode).toBe(404)
  })

  test('is absent without SANDBOX=1', async () => {
    const other = await createTestDatabase()
    const closed = await startServer({ testDatabase: other, env: { SANDBOX: '0' } })
    expect((await closed.app.inject('/sandbox/sms?mobile=13800138000')).statusCode).toBe(404)
    expect((await closed.app.inject({ method: 'POST', url: '/sandbox/clock', payload: {} })).statusCode).toBe(404)
    await closed.close()
    other.remove()
  })
})
