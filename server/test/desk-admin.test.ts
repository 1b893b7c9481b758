/** What admins give and tell users at the desk: coupons and messages; and that others see none of the admins' pages. */
import { sql } from 'kysely'
import type { Res } from '@/contract/types'
import { alertIn, DAY, setupAdmin } from './desk-admin'

const { server, db, runJobs, staff, newUser, valued, logOf, inbox, dayIn } = setupAdmin()
const COUPONS = '/desk/coupons'
const MESSAGES = '/desk/messages'

/** Sends the form with each change: refused and named, with the other typed values and the form's id kept. */
async function refuses(
  { send }: Awaited<ReturnType<typeof staff>>,
  url: string,
  form: { fine: Record<string, string>; kept: string; cases: [change: Record<string, string>, words: string][] },
) {
  for (const [change, words] of form.cases) {
    const { statusCode, body } = await send(url, { ...form.fine, ...change })
    expect([change, statusCode]).toEqual([change, 400])
    expect(alertIn(body)).toContain(words)
    if (change[form.kept] === undefined) expect(body).toContain(form.fine[form.kept])
    expect(body).toContain(`name="id" value="${form.fine.id}"`)
  }
  expect((await send(url, { ...form.fine, id: 'newcomer' })).statusCode).toBe(460)
}

test('orders are searched at the desk, also for characters with a meaning in patterns', async () => {
  const { see } = await staff()
  const { orderId, token } = await valued()
  const { orderNo } = (await server.call('pay', 'getInfo', { orderId }, { token })).body.data
  const search = async (q: string) => {
    const { statusCode, body } = await see(`/desk/orders?${new URLSearchParams({ q })}`)
    expect(statusCode).toBe(200)
    expect(body).toContain(`value="${q}"`)
    return body
  }
  expect(await search(orderNo.slice(0, 9))).toContain(orderNo)
  expect(await search(`${orderNo.slice(0, 9)}_`)).toContain('没有符合的订单')
})

const request = { kind: 'AMOUNT', scope: 'MANUAL', perUser: '1', days: '7' }
const all = { kind: 'SYSTEM', title: '今晚维护', body: '今晚 23 点维护。' }

test.each(['APPRAISER', 'CONSULTANT'] as const)('what admins do is not visible to %s', async (role) => {
  const [{ see, send }, admin, user] = [await staff(role), await staff(), await newUser()]
  const id = await admin.formId(COUPONS)
  const pages = ['partners', 'sales', 'models', 'coupons', 'messages']
  for (const page of pages) expect([page, (await see(`/desk/${page}`)).statusCode]).toEqual([page, 404])
  expect((await see('/desk/chat')).body).not.toMatch(RegExp(`/desk/(${pages.join('|')})`))
  for (const [url, fields] of [
    [COUPONS, { ...request, id, name: '我的', amount: '1' }],
    [`${COUPONS}/manual-3/end`, {}],
    [MESSAGES, { ...all, id }],
    [`${MESSAGES}/${id}/withdraw`, {}],
    ['/desk/models', { game: 'naraka' }],
    ['/desk/partners', { name: '我的' }],
  ] as const)
    expect([url, (await send(url, fields)).statusCode]).toEqual([url, 404])
  expect((await inbox(user)).map(({ title }) => title)).toEqual(['新人体验券已到账'])
  expect(await db().selectFrom('broadcasts').select('id').where('id', '=', id).execute()).toEqual([])
  for (const table of ['partners', 'coupon_templates'] as const)
    expect(await db().selectFrom(table).select('name').where('name', '=', '我的').execute()).toEqual([])
})

describe('coupons', () => {
  type Centre = Res<'coupon', 'canReceive'>
  const named = async (name: string): Promise<Centre> =>
    (await server.call('coupon', 'canReceive', {})).body.data.filter((c) => c.name === name)
  const receive = async ({ token }: { token: string }, templateId: string) =>
    (await server.call('coupon', 'receive', { templateId }, { token })).body
  const held = async ({ token }: { token: string }, name: string) => {
    const { body } = await server.call('coupon', 'getByStatus', { status: 'UNUSED' }, { token })
    return body.data.list.filter((c) => c.name === name).length
  }

  test('a coupon added at the desk is in the centre at once, can be taken and is logged', async () => {
    const { see, sendTwice, staffId, formId } = await staff()
    const id = await formId(COUPONS)
    const made = { ...request, id, name: '双旦券', amount: '5.50', threshold: '39', total: '2' }
    const answers = await sendTwice(COUPONS, made)
    expect(answers.map(({ headers }) => headers.location)).toEqual(Array(2).fill(`${COUPONS}?done=changed`))
    expect(await named('双旦券')).toMatchObject([
      {
        ...{ type: 'CASH_OFF', amountFen: 550, thresholdFen: 3900, scope: 'MANUAL' },
        ...{ total: 2, left: 2, perUser: 1, validType: 'DAYS', days: 7, state: 'AVAILABLE' },
      },
    ])
    expect(await logOf(staffId)).toEqual([['COUPON_ADD', id, '双旦券']])
    expect((await receive(await newUser(), id)).data).toMatchObject({
      name: '双旦券',
      amountFen: 550,
      status: 'UNUSED',
    })
    expect((await see(COUPONS)).body).toContain('1 / 2')
    expect((await see('/desk/log')).body).toContain('新增优惠券')
  })

  test('can be of every kind, scope and period', async () => {
    const { send, formId } = await staff()
    const add = async (fields: Record<string, string>) => {
      const answer = await send(COUPONS, { ...request, id: await formId(COUPONS), ...fields })
      expect([fields.name, alertIn(answer.body)]).toEqual([fields.name, ''])
      return (await named(fields.name ?? ''))[0]
    }
    expect(await add({ name: '立减', amount: '1' })).toMatchObject({ type: 'DIRECT', amountFen: 100, total: -1 })
    expect(await add({ name: '八折', kind: 'PERCENT', percent: '80', cap: '10' })).toMatchObject({
      ...{ type: 'PERCENT', percent: 80, capFen: 1000 },
    })
    expect(await add({ name: '体验', kind: 'FREE', scope: 'AI' })).toMatchObject({ type: 'FREE' })
    expect(await add({ name: '单游戏', amount: '1', scope: 'GAME', 'game-naraka': 'on' })).toMatchObject({
      ...{ scope: 'GAME', gameIds: ['naraka'] },
    })
    const dated = await add({ name: '定期', amount: '1', days: '', until: dayIn(2) })
    expect(dated).toMatchObject({ validType: 'DATE', endAt: Date.parse(`${dayIn(3)}T00:00:00+08:00`) })
  })

  test('invalid input is named, keeps the typed values and creates nothing', async () => {
    const admin = await staff()
    const templates = () => db().selectFrom('coupon_templates').selectAll().orderBy('template_id').execute()
    const before = await templates()
    const fine = { ...request, id: await admin.formId(COUPONS), name: '写了很久的名称', amount: '5' }
    const cases: [Record<string, string>, string][] = [
      [{ name: ' ' }, '名称为 1-20 字'],
      [{ amount: '0' }, '减免金额应大于 0'],
      [{ amount: '-5' }, '减免金额应大于 0'],
      [{ amount: '5.555' }, '减免金额应大于 0'],
      [{ amount: '1000.01' }, '减免金额应大于 0，不超过 1000 元'],
      [{ amount: '20', threshold: '19' }, '减免金额不能高于使用门槛'],
      [{ threshold: 'abc' }, '使用门槛为 0-1000 元'],
      [{ kind: 'PERCENT', percent: '100' }, '折扣填实付的百分数'],
      [{ kind: 'PERCENT', percent: '80', cap: '0' }, '最多减应大于 0'],
      [{ kind: 'FREE', scope: 'ALL' }, '体验券只能用于 AI 完整报告'],
      [{ kind: 'FREE', scope: 'AI', threshold: '1' }, '体验券没有使用门槛'],
      [{ kind: 'GIFT' }, '请选择优惠方式'],
      [{ scope: 'ELSE' }, '请选择适用范围'],
      [{ scope: 'GAME' }, '请选择适用的游戏'],
      [{ total: '0' }, '发放总数为 1-1000000 的整数'],
      [{ perUser: '11' }, '每人最多为 1-10 的整数'],
      [{ days: '366' }, '有效天数为 1-365 的整数'],
      [{ days: '' }, '请填写有效天数，或使用的截止日期'],
      [{ until: dayIn(3) }, '有效天数和使用日期只填一种'],
      [{ days: '', until: '2026-02-30' }, '日期应写成'],
      [{ days: '', until: dayIn(-1) }, '截止日期已经过去'],
    ]
    await refuses(admin, COUPONS, { fine, kept: 'name', cases })
    expect([await templates(), await logOf(admin.staffId)]).toEqual([before, []])
  })

  test('an ended template grants nothing more, its coupons stay; templates of rules cannot be ended', async () => {
    const { send, staffId, formId } = await staff()
    const id = await formId(COUPONS)
    await send(COUPONS, { ...request, id, name: '要结束', amount: '1' })
    const [a, b] = [await newUser(), await newUser()]
    await receive(a, id)
    const end = (of: string) => send(`${COUPONS}/${of}/end`)
    expect((await end(id)).headers.location).toBe(`${COUPONS}?done=changed`)
    for (const known of [id, 'newcomer', 'late', 'nothing']) expect((await end(known)).statusCode).toBe(404)
    expect(await named('要结束')).toMatchObject([{ state: 'ENDED' }])
    expect(await receive(b, id)).toMatchObject({ code: 'COUPON_NOT_USABLE', msg: '领取已结束' })
    expect(await held(a, '要结束')).toBe(1)
    expect((await logOf(staffId)).map(([action]) => action)).toEqual(['COUPON_ADD', 'COUPON_END'])
    // and it is no longer listed after a week
    server.clock.advance(7 * DAY)
    expect(await named('要结束')).toEqual([])
  })
})

describe('messages', () => {
  const setActivity = async ({ token }: { token: string }, pushActivity: boolean) =>
    expect((await server.call('user', 'updateSettings', { pushActivity }, { token })).body.success).toBe(true)
  const titled = async (user: { token: string }, title: string) => (await inbox(user)).filter((m) => m.title === title)

  test('to all: notices reach everybody, activities those who want them, nobody who came later', async () => {
    const { see, send, sendTwice, staffId, formId } = await staff()
    const [on, off] = [await newUser(), await newUser()]
    await setActivity(on, true)
    await setActivity(off, false)
    const ids = [await formId(MESSAGES), await formId(MESSAGES)] as const
    await sendTwice(MESSAGES, { ...all, id: ids[0] })
    await send(MESSAGES, { ...all, id: ids[1], kind: 'ACTIVITY', title: '全员活动' })
    expect((await see(MESSAGES)).body).toContain('发送中')
    server.clock.advance(1000)
    const late = await newUser()
    await setActivity(late, true)
    await runJobs()
    const got: number[][] = []
    for (const user of [on, off, late])
      got.push([(await titled(user, '今晚维护')).length, (await titled(user, '全员活动')).length])
    expect(got).toEqual([
      [1, 1],
      [1, 0],
      [0, 0],
    ])
    expect(await titled(on, '全员活动')).toMatchObject([{ type: 'SYSTEM', bizType: 'ACTIVITY' }])
    expect((await see(MESSAGES)).body).toMatch(/^(?=.*已发完)(?!.*发送中)/s)
    expect(await logOf(staffId)).toEqual([
      ['MESSAGE_ALL', ids[0], '今晚维护'],
      ['MESSAGE_ALL', ids[1], '全员活动'],
    ])
  })

  test('to all is sent in batches: what breaks in the middle goes on there, nobody is notified twice', async () => {
    await sql`insert into users (id, mobile, nickname, avatar, settings, created_at)
      select 'bulk' || lpad(n::text, 4, '0'), 'bulk' || n, '', '', '{}', 0 from generate_series(1, 1100) n`.execute(
      db(),
    )
    const { send, formId } = await staff()
    await sql`create function break_here() returns trigger language plpgsql as $$ begin
      if new.user_id = 'bulk0900' then raise exception 'broken'; end if; return new; end $$`.execute(db())
    await sql`create trigger break_here before insert on messages for each row execute function break_here()`.execute(
      db(),
    )
    const id = await formId(MESSAGES)
    await send(MESSAGES, { ...all, id, title: '分批' })
    await runJobs()
    const stands = () =>
      db().selectFrom('broadcasts').select(['sent', 'done_at']).where('id', '=', id).executeTakeFirstOrThrow()
    const boxes = async () => {
      const rows = await db().selectFrom('messages').select('user_id').where('title', '=', '分批').execute()
      expect(new Set(rows.map((row) => row.user_id)).size).toBe(rows.length)
      return rows.length
    }
    const half = await stands()
    expect(half.done_at).toBeNull()
    expect(half.sent % 500).toBe(0)
    expect([half.sent, await boxes()]).toEqual([500, 500])
    await sql`drop trigger break_here on messages`.execute(db())
    server.clock.advance(61_000)
    await runJobs()
    await runJobs()
    const { n } = await db()
      .selectFrom('users')
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('erased', '=', false)
      .executeTakeFirstOrThrow()
    expect((await stands()).done_at).not.toBeNull()
    expect([(await stands()).sent, await boxes()]).toEqual([n, n])
    // after resetting it, nothing is added
    await db().updateTable('broadcasts').set({ last_user: '', done_at: null }).where('id', '=', id).execute()
    await runJobs()
    expect([(await stands()).sent, await boxes()]).toEqual([n, n])
  })

  test('to all can be withdrawn, also in the middle: nobody has it any more, nobody gets it, and it is logged once', async () => {
    const { see, send, sendTwice, staffId, formId } = await staff()
    const user = await newUser()
    const unread = async () => (await server.call('user', 'get', {}, { token: user.token })).body.data.unread
    const [gone, kept, early] = [await formId(MESSAGES), await formId(MESSAGES), await formId(MESSAGES)]
    await send(MESSAGES, { ...all, id: gone, title: '写错了' })
    await send(MESSAGES, { ...all, id: kept, title: '写对了' })
    await runJobs()
    const before = await unread()
    expect(await titled(user, '写错了')).toHaveLength(1)
    const answers = await sendTwice(`${MESSAGES}/${gone}/withdraw`)
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 404])
    expect([await titled(user, '写错了'), await unread()]).toEqual([[], before - 1])
    const list = (await server.call('user', 'messages', {}, { token: user.token })).body.data
    expect([list.total, list.unread]).toEqual([list.list.length, before - 1])
    expect(await titled(user, '写对了')).toHaveLength(1)
    expect((await see(MESSAGES)).body).toContain('已撤回')

    await send(MESSAGES, { ...all, id: early, title: '还没发' })
    await send(`${MESSAGES}/${early}/withdraw`)
    await runJobs()
    expect(await db().selectFrom('messages').select('id').where('title', '=', '还没发').execute()).toEqual([])
    expect((await logOf(staffId)).filter(([action]) => action === 'MESSAGE_WITHDRAW')).toEqual([
      ['MESSAGE_WITHDRAW', gone, '写错了'],
      ['MESSAGE_WITHDRAW', early, '还没发'],
    ])
  })

  test('invalid input is named, keeps the typed values and sends nothing', async () => {
    const admin = await staff()
    const user = await newUser()
    const before = await inbox(user)
    const fine = { ...all, id: await admin.formId(MESSAGES) }
    const cases: [Record<string, string>, string][] = [
      [{ title: ' ' }, '标题为 1-20 字'],
      [{ title: '长'.repeat(21) }, '标题为 1-20 字'],
      [{ body: '\n' }, '正文为 1-500 字'],
      [{ kind: 'PAID' }, '请选择消息类型'],
      [{ link: 'https://a.example/' }, '链接应为本应用的页面'],
      [{ link: '/pages/home/webview/index?url=javascript:alert(1)' }, '链接应为本应用的页面'],
    ]
    await refuses(admin, MESSAGES, { fine, kept: 'body', cases })
    await runJobs()
    expect([await inbox(user), await logOf(admin.staffId)]).toEqual([before, []])
  })
})
