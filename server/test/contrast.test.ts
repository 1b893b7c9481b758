import { someAnswers } from './harness'
import { config, deps, fits, newUser, opened, server, setUpReports, submit } from './report-fixture'

setUpReports()

describe('contrast', () => {
  const compare = (token: string, orderIds: string[]) =>
    server.call('evaluation', 'contrastAnalysis', { orderIds }, { token })

  test('compares reports of one game and marks the better column', async () => {
    const token = await newUser()
    const account = someAnswers(config, 4)
    const poor = await submit(token, { ...account, redCount: 1, goldCount: 20 })
    const rich = await opened(token, { ...account, redCount: 30, goldCount: 200 })
    const { body } = await compare(token, [poor, rich])
    fits('evaluation', 'contrastAnalysis', body.data)
    const row = (label: string) => body.data.rows.find((r) => r.label === label)
    const label = config.fields.find(({ key }) => key === 'redCount')?.label ?? ''
    expect(row(label)).toMatchObject({ best: 1 })
    expect(row('参考成交价')).toMatchObject({ best: 1 })
    expect(row(`超过的${config.name}账号`)?.values[0]).toBe('解锁后可见')
    expect(body.data.summary.match(/。/g)).toHaveLength(2)
    expect(body.data.columns.map(({ orderId }) => orderId)).toEqual([poor, rich])
    expect(body.data.summary).toMatch(/^账号二参考成交价 ¥[\d,]+，比账号一高/)
    // also lists what the cheaper one has more of
    const cheaper = await submit(token, { ...account, redCount: 1, goldCount: 210 })
    const gold = config.fields.find(({ key }) => key === 'goldCount')?.label ?? ''
    const { summary } = (await compare(token, [rich, cheaper])).body.data
    expect(summary).toContain(`账号一在${label}上更多，账号二在${gold}上更多。`)
    // among three, one that is above another may be below the third
    const { rows } = (await compare(token, [poor, rich, cheaper])).body.data
    expect([label, gold].map((name) => rows.find((r) => r.label === name)?.best)).toEqual([1, 2])
  })

  test('blames nothing for the difference to an account without an answer', async () => {
    const { rareItems: _, ...account } = someAnswers(config, 4)
    const many = (config.dicts.naraka_item ?? []).slice(0, 3).map(({ v }) => v)
    const another = await newUser()
    const [few, full] = [await submit(another, account), await submit(another, { ...account, rareItems: many })]
    const text = (await compare(another, [few, full])).body.data.summary
    expect(text).toMatch(/^账号二参考成交价 ¥[\d,]+，比账号一高[^。]+。$/)
  })

  test('explains no difference of equal accounts at the same price', async () => {
    const token = await newUser()
    const account = someAnswers(config, 4)
    const alike = [await submit(token, account), await submit(token, { ...account, remark: '同一价格' })]
    const { summary } = (await compare(token, alike)).body.data
    expect(summary).toMatch(/^2 个账号的参考成交价相同，都是 ¥[\d,]+。/)
    expect(summary).not.toContain('更多')
  })

  test('claims no advantage if the price difference is due to facts that are not counted', async () => {
    const token = await newUser()
    const account = someAnswers(config, 4)
    const label = config.fields.find(({ key }) => key === 'redCount')?.label ?? ''
    const clean = await submit(token, { ...account, redCount: 8, realName: 're_auth_allowed' })
    const more = await submit(token, { ...account, redCount: 9, realName: 're_auth_denied' })
    const other = (await compare(token, [clean, more])).body.data
    const by = (name: string) => other.rows.find((r) => r.label === name)?.best
    expect([by('参考成交价'), by(label)]).toEqual([0, 1])
    expect(other.summary).not.toContain('更多')
  })

  test('refuses different games, reports of other users and fewer than two', async () => {
    const token = await newUser()
    const mine = await submit(token, someAnswers(config))
    const val = (await deps().repositories.games.find('val')).config
    const foreign = await submit(await newUser(), someAnswers(config))
    const mixed = await compare(token, [mine, await submit(token, someAnswers(val), val)])
    expect([mixed.status, mixed.body.data]).toMatchObject([400, { fields: [{ path: 'orderIds' }] }])
    expect((await compare(token, [mine, foreign])).status).toBe(404)
    expect((await compare(token, [mine])).status).toBe(400)
  })
})
