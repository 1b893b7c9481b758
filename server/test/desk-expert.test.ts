import { estimate } from '@/contract/format'
import { bindingItemText, keysOf } from '@/contract/labels'
import { confirmationIn, deliveryFields } from './appraisal'
import { HOUR, setupDesk } from './desk-fixture'
import { manualRequest } from './orders'

const { atDesk, config, db, logOf, nextNumber, paidOrder, server, statusOf } = setupDesk()

describe('an expert order', () => {
  const SAID = '：按成交和截图逐项核对'
  const model = async (s: Awaited<ReturnType<typeof atDesk>>, url: string) => {
    // the model's price is hidden until the blind estimate is committed
    expect((await s.see(url)).body).not.toContain('AI 估价')
    await s.send(`${url}/first`, { first: '1000' })
    return Number(
      (/AI 估价<\/h2><p class="price">¥([\d,.]+)/.exec((await s.see(url)).body)?.[1] ?? '').replaceAll(',', ''),
    )
  }

  test('has two appraisers: neither sees the other’s price before both are given; their mean is the price', async () => {
    const [a, b, c] = [
      await atDesk('APPRAISER', '甲'),
      await atDesk('APPRAISER', '乙'),
      await atDesk('APPRAISER', '丙'),
    ]
    const { orderId, token } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    // no report to revise yet
    expect((await b.see(url)).statusCode).toBe(404)
    const fair = await model(a, url)
    const said = await a.deliver(url, { price: String(fair), comment: `甲的看法${SAID}` })
    expect(said.headers.location).toBe(`${url}?done=opined`)
    expect(await statusOf(orderId)).toBe('ASSIGNED')
    expect((await b.see('/desk')).body).toContain(orderId)
    const before = (await b.see(url)).body
    expect(before).toContain('一位同事已估价')
    expect(before).not.toContain('甲的看法')
    expect(before).not.toContain('AI 估价')
    expect((await c.send(`${url}/ask`, { wanted: '再来一张截图' })).statusCode).toBe(409)
    const unjudged = { price: String(fair), comment: `乙的看法${SAID}`, 'bind-MINOR-cost': '' }
    expect((await b.deliver(url, unjudged)).body).toContain('“防沉迷”请写影响多少钱')
    // the halves are whole yuan, which the report shows
    const [cost, gain] = [2 * Math.round(fair / 10), 2 * Math.round(fair / 20)]
    const recovery = {
      ...{ 'bind-RECOVERY-cost': String(cost), 'bind-RECOVERY-gain': String(gain) },
      'bind-RECOVERY-removal': `先花 ${gain} 元导出首充记录，多卖 ${gain} 元`,
    }
    const made = await b.deliver(url, { price: (fair * 1.1).toFixed(2), comment: `乙的看法${SAID}`, ...recovery })
    expect(made.headers.location).toBe(`${url}?done=delivered`)
    const { data } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body
    const fen = (yuan: number) => Math.round(yuan * 100)
    expect(Math.abs(data.price.predictFen - fen(fair * 1.05))).toBeLessThanOrEqual(100)
    expect(data).toMatchObject({
      level: 'PRO',
      appraiser: { name: '甲', comment: `甲的看法${SAID}`, priceFen: fen(fair) },
      second: { name: '乙', comment: `乙的看法${SAID}`, priceFen: fen(fair * 1.1) },
      // one plan for the mean: the steps of both as shares of their prices
      joint: {
        plan: [{ day: 1, fen: data.price.listFen }, { day: 4 }, { day: 7, fen: data.price.predictFen }],
        differences: [],
      },
    })
    expect(data.joint?.mended).toMatchObject({
      predictFen: data.price.predictFen + fen(gain / 2),
      plan: [{ day: 1 }, { day: 4 }, { day: 7 }],
    })
    // all its prices rise with the price: the last step is the price itself, in whole yuan
    const mended = data.joint?.mended
    expect(Math.abs(Number(mended?.plan[2]?.fen) - Number(mended?.predictFen))).toBeLessThan(100)
    expect(mended?.floorFen).toBeGreaterThanOrEqual(Number(data.joint?.floorFen))
    const { lines = [], restFen = 0, bindingFen = 0, ...reconciled } = data.reconciliation ?? {}
    expect(reconciled).toMatchObject({ aiFen: data.ai?.price.predictFen, people: 2 })
    const total = lines.reduce((sum, { amountFen }) => sum + amountFen, Number(data.ai?.price.predictFen))
    expect(total + bindingFen + restFen).toBe(data.price.predictFen)
    // each of the two gave a range of 20 % of the price: that of the mean is narrower
    const width = (data.price.highFen - data.price.lowFen) / data.price.predictFen
    expect(width).toBeGreaterThan(0.17)
    expect(width).toBeLessThan(0.175)
    // in whole yuan, as the desk writes it
    expect(data.joint?.floorFen).toBeLessThanOrEqual(Number(data.price.quickFen))
    expect(data.joint?.floorFen).toBeGreaterThan(Number(data.price.quickFen) - 100)
    // binding is the task of the one who did not take the order, and no reader but the owner's
    expect(data.binding).toMatchObject({
      by: '乙',
      // 甲 has not deducted the risk of recovery, so that the mean contains half of it
      ...{ costFen: fen(cost), openFen: fen(cost / 2), gainFen: fen(gain / 2) },
      items: keysOf(bindingItemText).map((item) => ({ item })),
    })
    // one action, one gain: that of the report's price, in the text too; what it costs stays
    expect(data.binding?.items.find(({ item }) => item === 'RECOVERY')?.removal).toBe(
      `先花 ${gain} 元导出首充记录，多卖 ${estimate(fen(gain / 2))}`,
    )
    expect(data.joint?.decision).toMatch(/^两份估价相差 10%，取均价；/)
    // a visitor, perhaps the buyer, gets the prices and their reasons, and nothing of how it is to be sold
    const { shareToken } = (await server.call('evaluation', 'reportImageShare', { orderId }, { token })).body.data
    const seen = (await server.call('evaluation', 'reportGet', { shareToken })).body.data
    expect([seen.joint, seen.binding]).toEqual([undefined, undefined])
    for (const one of [seen.appraiser, seen.second]) {
      expect(one?.work?.notes.length).toBeGreaterThanOrEqual(8)
      expect(one?.work).toMatchObject({ advice: [] })
      for (const secret of ['plan', 'floorFen', 'binding']) expect(one?.work).not.toHaveProperty(secret)
    }
    // what both wrote names the amounts of the one plan
    for (const one of [data.appraiser, data.second])
      expect(one?.work?.advice.at(-1)?.how).toBe(`那些账号少一款典藏，最多让到 ${estimate(data.joint?.floorFen)}`)
    expect((await logOf(orderId)).map(([action, who]) => [action, who])).toEqual([
      ['TAKE', a.staffId],
      ['FIRST', a.staffId],
      ['OPINION', a.staffId],
      ['FIRST', b.staffId],
      ['DELIVER', b.staffId],
    ])
    expect((await c.see(url)).statusCode).toBe(404)
    expect((await b.see(url)).body).toContain('复核 乙')
  })

  test('that one of them revalues still names both, with what the other delivered, and both answer questions', async () => {
    // codes are limited per day
    server.clock.advance(24 * HOUR)
    const [a, b] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙')]
    const { orderId, token } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    const fair = Math.round(await model(a, url))
    const [admin, c] = [await atDesk('ADMIN', '主管'), await atDesk('APPRAISER', '丙')]
    const finds = async (reader: typeof a, nick: string) =>
      (await reader.see(`/desk/orders?q=${encodeURIComponent(nick)}`)).body.includes(orderId)
    await a.deliver(url, { price: String(fair), comment: `看法${SAID}` })
    await b.deliver(url, { price: String(fair), comment: `看法${SAID}` })
    // the search is by everybody who valued the order, for those who may see it
    for (const nick of ['甲', '乙'])
      expect([await finds(admin, nick), await finds(a, nick), await finds(b, nick), await finds(c, nick)]).toEqual([
        ...[true, true, true, false],
      ])
    const again = { ...manualRequest(config), orderId, reasons: ['TOO_LOW' as const] }
    expect((await server.call('evaluation', 'submitManual', again, { token })).body.code).toBe('OK')
    const changed = '按截图补计两件限定，其余与上一版一致'
    await b.deliver(url, { price: (fair * 1.1).toFixed(2), comment: `复估${SAID}`, changed })
    const { data } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body
    expect(data).toMatchObject({
      ...{ version: 2, level: 'PRO', price: { predictFen: Math.round(fair * 110) } },
      appraiser: { name: '乙', comment: `复估${SAID}`, delivered: 1 },
      earlier: [{ name: '甲', comment: `看法${SAID}`, priceFen: fair * 100, delivered: 1 }],
    })
    expect(data.earlier?.[0]?.work?.notes.length).toBeGreaterThanOrEqual(8)
    expect(data.second).toBeUndefined()
    const ask = { clientId: `q${nextNumber()}`, type: 'TEXT' as const, content: '甲怎么看？', orderId }
    await server.call('chat', 'send', ask, { token })
    for (const s of [a, b]) expect((await s.see('/desk')).body).toContain('甲怎么看？')
  })

  test('with two distant prices is priced by one of them, between the two and with a reason', async () => {
    const [a, b, c] = [
      await atDesk('APPRAISER', '甲'),
      await atDesk('APPRAISER', '乙'),
      await atDesk('APPRAISER', '丙'),
    ]
    const { orderId, token } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    const fair = Math.round(await model(a, url))
    const comment = '按成交和截图逐项核对'
    await a.deliver(url, { price: String(fair), comment })
    // the first appraiser may still correct it, and remains one of the two
    await a.deliver(url, { price: String(fair + 1), comment })
    const far = await b.deliver(url, { price: String(fair * 2), comment: '绝版外观齐全，近期有人专门求购' })
    expect(far.headers.location).toBe(`${url}?done=apart`)
    expect(await statusOf(orderId)).toBe('ASSIGNED')
    // a third appraiser may settle it, without seeing the two prices
    expect((await c.see(url)).body).not.toContain('绝版外观齐全')
    expect((await c.see(url)).body).toContain('三者居中')
    expect((await a.see(url)).body).toContain('绝版外观齐全')
    const final = (price: number, comment: string) => a.deliver(url, { price: price.toFixed(2), comment })
    expect((await final(fair * 3, '与乙核对后认可外观和行情')).body).toContain('定价应在两位估价师的估价之间')
    // neither imposes a price that is still too far from the other's
    for (const price of [fair + 1, fair * 1.6])
      expect((await final(price, '与乙核对后认可外观和行情')).body).toContain('与另一位仍相差超过 20%')
    expect(await statusOf(orderId)).toBe('ASSIGNED')
    expect((await final(fair * 1.1, '')).body).toContain('请填写估价说明')
    await final(fair * 1.7, '与乙核对后认可外观和行情')
    const { data } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body
    expect(data).toMatchObject({
      price: { predictFen: Math.round(fair * 170) },
      appraiser: { name: '甲', comment: '与乙核对后认可外观和行情', priceFen: (fair + 1) * 100 },
      second: { name: '乙', priceFen: fair * 200 },
      other: { reason: '估价师说明：与乙核对后认可外观和行情' },
      // who settled it wrote the plan for it
      joint: { plan: [{ day: 1 }, {}, { fen: Math.round(fair * 170) }] },
    })
    expect(Math.abs(Number(data.joint?.plan[0]?.fen) - fair * 1.7 * 105)).toBeLessThanOrEqual(1)
    expect(Math.abs(Number(data.joint?.floorFen) - fair * 1.7 * 95)).toBeLessThanOrEqual(1)
  })

  test('with two distant prices is decided only by a form that showed the other’s price', async () => {
    const [a, b] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙')]
    const { orderId } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    const fair = Math.round(await model(a, url))
    const comment = '按成交和截图逐项核对，差异已写明'
    await a.deliver(url, { price: String(fair), comment })
    const form = async (s: typeof a, price: number) => ({
      ...{ ...deliveryFields((await s.see(url)).body, price), price: String(price), comment },
    })
    const confirmed = async (s: typeof a, fields: Record<string, string>) => {
      const answer = await s.send(`${url}/deliver`, fields)
      const sure = confirmationIn(answer.body)
      return sure === undefined ? answer : s.send(`${url}/deliver`, { ...fields, sure })
    }
    // opened while the other's price was awaited
    const stale = { ...(await form(a, fair)), comment: '改一个错字，其余按成交和截图核对' }
    await b.send(`${url}/first`, { first: String(fair * 2) })
    const twice = await form(b, fair * 2)
    expect((await confirmed(b, twice)).headers.location).toBe(`${url}?done=apart`)
    for (const [who, fields] of [
      [b, twice],
      [a, stale],
    ] as const) {
      const refused = await confirmed(who, fields)
      expect(refused.body).toContain('另一位估价师已交付，两位相差较大，请看过后再定价')
      expect(refused.body).toContain(fields.comment)
    }
    expect(await statusOf(orderId)).toBe('ASSIGNED')
    const stored = db().selectFrom('appraisals').select(['price_fen', 'comment']).where('order_id', '=', orderId)
    expect(await stored.orderBy('price_fen').execute()).toEqual([
      { price_fen: fair * 100, comment },
      { price_fen: fair * 200, comment },
    ])
  })

  test('with two distant prices may be settled by a third: the median is the price', async () => {
    const people = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙'), await atDesk('APPRAISER', '丙')]
    const [a, b, c] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]]
    const { orderId, token } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    const fair = Math.round(await model(a, url))
    const comment = '按成交和截图逐项核对，差异已写明'
    await a.deliver(url, { price: String(fair), comment })
    await b.deliver(url, { price: String(fair * 2), comment })
    const why = '近期成交支持乙的一半，取两者之间'
    const made = await c.deliver(url, { price: (fair * 1.4).toFixed(2), comment: why })
    expect(made.headers.location).toBe(`${url}?done=delivered`)
    const { data } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body
    // the three prices are those of the appraiser whose price it is; the range contains what each estimated
    expect(data).toMatchObject({
      price: {
        predictFen: Math.round(fair * 140),
        quickFen: Math.round(Number((fair * 1.4).toFixed(2)) * 95),
        listFen: Math.round(Number((fair * 1.4).toFixed(2)) * 105),
        lowFen: fair * 100,
        highFen: fair * 200,
      },
      joint: { floorFen: Math.round(Number((fair * 1.4).toFixed(2)) * 95) },
      ...{ appraiser: { name: '甲' }, second: { name: '乙' }, third: { name: '丙' } },
      // of who decided it, not of the first
      other: { reason: `估价师说明：${why}` },
    })
  })

  test('two simultaneous deliveries are both counted and make one report', async () => {
    const [a, b] = [await atDesk('ADMIN', '甲'), await atDesk('ADMIN', '乙')]
    const { orderId } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    const price = String(await model(a, url))
    const answers = await Promise.all([a, b].map((s) => s.deliver(url, { price, comment: '按成交和截图逐项核对' })))
    expect(answers.map(({ headers }) => String(headers.location).split('=')[1]).sort()).toEqual(['delivered', 'opined'])
    expect(await db().selectFrom('reports').select('version').where('order_id', '=', orderId).execute()).toEqual([
      { version: 1 },
    ])
  })
})
