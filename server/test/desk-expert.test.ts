import { commentOf } from './appraisal'
import { HOUR, setupDesk } from './desk-fixture'
import { manualRequest } from './orders'

const { atDesk, config, db, logOf, nextNumber, paidOrder, server, statusOf } = setupDesk()

describe('an expert order', () => {
  const SAID = '：按成交和截图逐项核对'
  const model = async (s: Awaited<ReturnType<typeof atDesk>>, url: string) => {
    // the model's price is hidden until the blind estimate is committed
    expect((await s.see(url)).body).not.toContain('AI 明细')
    await s.send(`${url}/first`, { first: '1000' })
    return Number((/ · AI ¥([\d,.]+)/.exec((await s.see(url)).body)?.[1] ?? '').replaceAll(',', ''))
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
    const fair = await model(a, url)
    const said = await a.deliver(url, { price: String(fair), comment: `甲的看法${SAID}` })
    expect(said.headers.location).toBe(`${url}?done=opined`)
    expect(await statusOf(orderId)).toBe('ASSIGNED')
    expect((await b.see('/desk')).body).toContain(orderId)
    const before = (await b.see(url)).body
    expect(before).toContain('互不看价')
    for (const words of ['甲的看法', 'AI 明细']) expect(before).not.toContain(words)
    const made = await b.deliver(url, { price: (fair * 1.1).toFixed(2), comment: `乙的看法${SAID}` })
    expect(made.headers.location).toBe(`${url}?done=delivered`)
    const { data } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body
    const fen = (yuan: number) => Math.round(yuan * 100)
    expect(data.price.predictFen).toBe(Math.round((fen(fair) + fen(fair * 1.1)) / 2))
    expect(data).toMatchObject({
      level: 'PRO',
      appraiser: { name: '甲', comment: commentOf(`甲的看法${SAID}`), priceFen: fen(fair) },
      others: [{ name: '乙', comment: commentOf(`乙的看法${SAID}`), priceFen: fen(fair * 1.1) }],
    })
    const { lines = [], restFen = 0, ...reconciled } = data.reconciliation ?? {}
    expect(reconciled).toMatchObject({ aiFen: data.ai?.price.predictFen, people: 2 })
    const total = lines.reduce((sum, { amountFen }) => sum + amountFen, Number(data.ai?.price.predictFen))
    expect(total + restFen).toBe(data.price.predictFen)
    expect((await logOf(orderId)).map(([action, who]) => [action, who])).toEqual([
      ['TAKE', a.staffId],
      ['FIRST', a.staffId],
      ['OPINION', a.staffId],
      ['FIRST', b.staffId],
      ['DELIVER', b.staffId],
    ])
    expect((await c.see(url)).statusCode).toBe(404)
    expect((await b.see(url)).body).toContain('<dt>乙</dt>')
  })

  test('is valued by two at the same time, either of whom asks its owner for more and delivers first', async () => {
    const [a, b] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙')]
    const { orderId, token } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    const price = String(Math.round(await model(a, url)))
    await model(b, url)
    expect((await b.see('/desk')).body).toContain('专家 · 0/2 位已估价，2 位在估')
    expect((await b.see(url)).body).toContain('请用户补资料')
    expect((await b.send(`${url}/ask`, { wanted: '再来一张截图' })).headers.location).toBe(`${url}?done=asked`)
    expect(await statusOf(orderId)).toBe('WAIT_INFO')
    // both still see what they have begun
    for (const s of [a, b]) expect((await s.see(url)).body).toContain('再来一张截图')
    const more = { ...manualRequest(config), answers: {}, remark: '没有别的了', orderId }
    expect((await server.call('evaluation', 'submitManual', more, { token })).body.code).toBe('OK')
    for (const [s, done] of [
      [b, 'opined'],
      [a, 'delivered'],
    ] as const)
      expect((await s.deliver(url, { price })).headers.location).toBe(`${url}?done=${done}`)
  })

  test('that one of them revalues still names both, with what the other delivered, and both answer questions', async () => {
    // codes are limited per day
    server.clock.advance(24 * HOUR)
    const [a, b] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙')]
    const { orderId, token } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    const fair = Math.round(await model(a, url))
    await a.deliver(url, { price: String(fair), comment: `看法${SAID}` })
    await b.deliver(url, { price: String(fair), comment: `看法${SAID}` })
    const again = { ...manualRequest(config), orderId, remark: '价格偏低' }
    expect((await server.call('evaluation', 'submitManual', again, { token })).body.code).toBe('OK')
    await b.deliver(url, { price: (fair * 1.1).toFixed(2), comment: `复估${SAID}` })
    const { data } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body
    expect(data).toMatchObject({
      ...{ version: 2, level: 'PRO', price: { predictFen: Math.round(fair * 110) } },
      appraiser: { name: '乙', comment: commentOf(`复估${SAID}`), delivered: 1 },
      others: [{ name: '甲', comment: commentOf(`看法${SAID}`), priceFen: fair * 100, delivered: 1 }],
    })
    const ask = { clientId: `q${nextNumber()}`, type: 'TEXT' as const, content: '甲怎么看？', orderId }
    await server.call('chat', 'send', ask, { token })
    for (const s of [a, b]) expect((await s.see('/desk')).body).toContain('甲怎么看？')
  })

  test('with two distant prices is settled by a third, who sees neither: the middle one is the price', async () => {
    const people = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙'), await atDesk('APPRAISER', '丙')]
    const [a, b, c] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]]
    const { orderId, token } = await paidOrder({ level: 'PRO' })
    const url = `/desk/orders/${orderId}`
    await a.send(`${url}/take`)
    const fair = Math.round(await model(a, url))
    await a.deliver(url, { price: String(fair) })
    // may still be corrected
    await a.deliver(url, { price: String(fair + 1) })
    const far = await b.deliver(url, { price: String(fair * 2), comment: '绝版外观齐全' })
    expect(far.headers.location).toBe(`${url}?done=apart`)
    expect(await statusOf(orderId)).toBe('ASSIGNED')
    // the two see each other's price now, and neither may change the own one
    for (const s of [a, b]) {
      expect((await s.see(url)).body).toContain('等待第三位估价师')
      expect((await s.send(`${url}/deliver`, { price: String(fair * 1.5) })).statusCode).toBe(409)
    }
    const seen = (await c.see(url)).body
    expect(seen).toContain('取三者居中的')
    for (const words of ['绝版外观齐全', '甲', '乙']) expect(seen).not.toContain(`<dt>${words}`)
    const made = await c.deliver(url, { price: (fair * 1.4).toFixed(2), comment: '近期成交支持两者之间' })
    expect(made.headers.location).toBe(`${url}?done=delivered`)
    const { data } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body
    const fenOf = (share: number) => Math.round(Number((fair * 1.4 * share).toFixed(2)) * 100)
    expect(data).toMatchObject({
      price: {
        predictFen: fenOf(1),
        lowFen: fenOf(0.9),
        quickFen: fenOf(0.95),
        listFen: fenOf(1.05),
        highFen: fenOf(1.1),
      },
      appraiser: { name: '丙' },
      others: [
        { name: '甲', priceFen: (fair + 1) * 100 },
        { name: '乙', priceFen: fair * 200 },
      ],
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
