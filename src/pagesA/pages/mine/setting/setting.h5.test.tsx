import type { Res, UserInfo } from '@/contract/types'
import { clipboard } from '@/platform/clipboard'
import { dialog } from '@/platform/dialog'
import { storage } from '@/platform/storage'
import { fakeStorage } from '@/platform/storage/fake'
import { updates } from '@/platform/update'
import { routes } from '@/router/routes'
import { dispatch, session, startSession } from '@/session/store'
import { PERSISTED_INPUT_KEY } from '@/session/usePersistedInput'
import { fakeServer, Refused } from '../../../../../test/fakes/api'
import { navigations } from '../../../../../test/fakes/navigation'
import { find, shown, tap, type, until, untilBox, untilGone, untilShown } from '../../../../../test/fakes/screen'
import { flush, openPage } from '../../../../../test/fakes/taro'
import Setting from './index'

jest.mock('@tarojs/taro', () => require('../../../../../test/fakes/navigation').fakeTaro())
jest.mock('@/platform/dialog', () => ({
  dialog: { confirm: jest.fn(async () => true), toast: jest.fn(), loading: () => () => undefined },
}))

const settings: UserInfo['settings'] = {
  pushReport: true,
  pushActivity: false,
  showAsExample: false,
  fontScale: 1,
  reduceMotion: false,
  personalised: false,
}
const device = (id: string, name: string, current: boolean) => ({ id, name, createdAt: 1, seenAt: 1, current })

/** the new number has an account */
let taken = false

interface Answers {
  /** the server's state of the data export, before and after it was asked for */
  copies?: Res<'dataExport', 'get'>[]
  refuse?: boolean
  blocked?: boolean
  latest?: Res<'app', 'latestVersion'>
  sharedPrices?: UserInfo['sharedPrices']
  /** the settings of the account now, which another device may have changed */
  stored?: () => UserInfo['settings']
  /** what changes of settings wait for */
  slow?: () => Promise<void>
  /** replaces the answer to the request for a code */
  sendSmsCode?: () => Res<'user', 'sendSmsCode'>
}

const own = { version: '2.0.4', code: 204, force: false, url: '', note: '' }

const unfinished: Res<'user', 'checkLoginOff'>['blockers'][number] = {
  type: 'ORDER',
  text: '有 1 个未完成的订单',
  link: `/${routes.mineEvaluationRecords.path}?tab=ING`,
}

const codeSent = () => ({ nextAt: Date.now() + 60_000 })

async function open({
  refuse,
  blocked,
  latest = own,
  copies = [{ status: 'NONE' }],
  sharedPrices,
  stored = () => settings,
  slow = async () => undefined,
  sendSmsCode = codeSent,
}: Answers = {}) {
  let devices = [device('d1', '网页', true), device('d2', 'iOS · 微信小程序', false)]
  const server = fakeServer({
    user: {
      get: () => ({
        userId: 'u1',
        nickname: '玩家1024',
        avatar: '',
        mobileMasked: '138****8000',
        realName: { status: 'NONE' },
        hasPassword: false,
        wxBound: false,
        unread: 0,
        couponCount: 0,
        settings: stored(),
        devices,
        ...(sharedPrices && { sharedPrices }),
      }),
      updateSettings: async ({ signOut, nickname: _, avatar: __, mobile, account: ___, withdraw: ____, ...change }) => {
        const msg = '这个号码已经有账号，请用它登录，或换一个号码'
        if (mobile && taken) throw new Refused(400, 'VALIDATION_FAILED', '', { fields: [{ path: 'mobile', msg }] })
        if (refuse) throw new Refused(200, 'ORDER_STATUS_CHANGED', '保存失败')
        devices = devices.filter(({ id, current }) => id !== signOut && (signOut !== 'OTHERS' || current))
        await slow()
        return { ...settings, ...change }
      },
      checkLoginOff: () => ({ canOff: !blocked, blockers: blocked ? [unfinished] : [] }),
      sendSmsCode,
      loginOff: ({ code }) => {
        if (code !== '123456') throw new Refused(200, 'SMS_CODE_WRONG', '验证码错误，请重新输入')
        return { canOff: true, blockers: [], effectiveAt: 1_796_000_000_000 }
      },
    },
    dataExport: {
      get: () => copies[0] ?? { status: 'NONE' },
      request: () => copies[1] ?? { status: 'WAITING' },
    },
    app: {
      latestVersion: () => latest,
      openPayStatus: () => ({ pay: 'NORMAL', help: true, ad: false, manual: true, wechat: true }),
    },
  })
  const setting = await openPage(Setting, `/${routes.mineSetting.path}`, {})
  await untilShown('138****8000')
  /** What was asked of one call. */
  const asked = (name: string) => server.seen.flatMap(({ call, req }) => (call === name ? [req] : []))
  return { ...server, ...setting, asked }
}

afterEach(() => void jest.useRealTimers())

const isOn = (name: string) => find(name)?.getAttribute('aria-checked') === 'true'

beforeEach(() => {
  navigations.length = 0
  localStorage.clear()
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

it('a switch changes at once, and back when the server refuses', async () => {
  const server = await open()
  expect(isOn('展示我的报告')).toBe(false)
  await tap('展示我的报告')
  await until(() => isOn('展示我的报告'), 'the switch')
  expect(server.seen.at(-1)?.req).toEqual({ showAsExample: true })
  await open({ refuse: true })
  await tap('活动通知')
  await until(() => !isOn('活动通知'), 'the switch back')
})

it('a switch that is tapped twice stays as the second tap left it, whatever the first answer says', async () => {
  const answers: (() => void)[] = []
  await open({ slow: () => new Promise((resolve) => answers.push(resolve)) })
  await tap('活动通知')
  await tap('活动通知')
  await until(() => answers.length === 2, 'both changes')
  answers[0]?.()
  await flush()
  expect(isOn('活动通知')).toBe(false)
  answers[1]?.()
  await flush()
  expect(isOn('活动通知')).toBe(false)
})

it('the consent to use prices for the market is withdrawn for one kind, after a question, where it was given', async () => {
  await open()
  expect(shown()).not.toContain('撤回同意')
  const server = await open({ sharedPrices: ['LISTING', 'FOLLOW_UP'] })
  const asked = jest.mocked(dialog.confirm).mockResolvedValueOnce(false)
  await tap('我提供的挂牌价')
  await until(() => asked.mock.calls.length > 0, 'the question')
  expect(asked.mock.lastCall?.[0]).toMatchObject({ content: expect.stringContaining('不再与您关联') })
  await tap('我的卖出回访')
  await until(() => jest.mocked(dialog.toast).mock.lastCall?.[0] === '已撤回，新模型启用后不再参考', 'the toast')
  expect(server.asked('user.updateSettings')).toEqual([{ withdraw: 'FOLLOW_UP' }])
})

it('another device is signed out; logging out ends the session on the server too', async () => {
  const server = await open()
  await tap('登录设备')
  await untilShown('iOS · 微信小程序')
  await tap('退出 iOS · 微信小程序')
  await untilGone('iOS · 微信小程序')
  expect(dialog.confirm).toHaveBeenLastCalledWith(expect.objectContaining({ title: '退出 iOS · 微信小程序？' }))
  await tap('退出登录')
  await until(() => session().token === undefined, 'the logout')
  expect(server.asked('user.updateSettings')).toEqual([{ signOut: 'd2' }, { signOut: 'THIS' }])
})

it('devices are signed out only after the question, one or all others', async () => {
  const server = await open()
  const signedOut = () => server.seen.flatMap(({ req }) => (req as { signOut?: string }).signOut ?? [])
  const ask = jest.mocked(dialog.confirm)
  await tap('登录设备')
  await untilShown('iOS · 微信小程序')
  for (const button of ['退出 iOS · 微信小程序', '退出其他全部设备']) {
    ask.mockClear()
    ask.mockResolvedValueOnce(false)
    await tap(button)
    await until(() => ask.mock.calls.length > 0, 'the question')
    await flush()
  }
  expect(ask.mock.lastCall?.[0].title).toBe('退出其他全部设备？')
  expect([signedOut(), find('退出 iOS · 微信小程序') !== undefined]).toEqual([[], true])
  await tap('退出其他全部设备')
  await untilGone('iOS · 微信小程序')
  expect(signedOut()).toEqual(['OTHERS'])
  // nobody else is left to be signed out
  expect(shown()).toContain('本机')
  expect(find('退出其他全部设备')).toBeUndefined()
})

it('cancelling the account needs the box ticked and the code; then nobody is signed in', async () => {
  storage.set(PERSISTED_INPUT_KEY, '{}')
  await open()
  await tap('注销账号')
  await untilBox('验证码')
  await tap('获取验证码')
  await untilShown('您的登录手机')
  await type('验证码', '111111')
  await tap('提交注销')
  expect(session().token).toBe('t')
  await tap('我已了解以上内容，确认注销')
  await tap('提交注销')
  await untilShown('验证码错误，请重新输入')
  await type('验证码', '123456')
  let close: (value: boolean) => void = () => undefined
  jest.mocked(dialog.confirm).mockImplementationOnce(() => new Promise((resolve) => (close = resolve)))
  await tap('提交注销')
  await until(() => session().token === undefined, 'the end of the session')
  await flush()
  // nothing turns behind the dialog that says when the account ends
  expect(find('提交注销')).toBeDefined()
  expect(document.querySelector('.ui-btn__spin')).toBeNull()
  close(true)
  await until(() => navigations.length > 0, 'home')
  expect(storage.get(PERSISTED_INPUT_KEY)).toBeUndefined()
})

it('unsettled matters are listed with links', async () => {
  await open({ blocked: true })
  await tap('注销账号')
  await untilShown('有 1 个未完成的订单')
  expect(shown()).not.toContain('提交注销')
  await tap('有 1 个未完成的订单')
  await until(() => navigations.some((move) => move.includes(unfinished.link)), 'the records')
})

it('says that there is a newer version and what is new, and gets it from where the operator says', async () => {
  const get = jest.spyOn(updates, 'get').mockImplementation(() => undefined)
  await open({ latest: { version: '2.1.0', code: 210, force: false, url: 'https://store.example/', note: '打开更快' } })
  await untilShown('发现新版本 2.1.0')
  expect(shown()).toContain('打开更快')
  await tap('打开更快')
  expect(get).toHaveBeenCalledWith('https://store.example/')
})

it('nickname and picture can be changed; an invalid nickname is reported at its field', async () => {
  const server = await open()
  await tap('昵称和头像')
  await type('昵称', '一')
  await tap('保存')
  await untilShown('昵称为 2-16 个字')
  await type('昵称', ' 峡谷老玩家 ')
  await tap('头像 2')
  await tap('保存')
  await until(() => server.asked('user.updateSettings').length > 0, 'the change')
  expect(server.asked('user.updateSettings').at(-1)).toEqual({ nickname: '峡谷老玩家', avatar: 'game' })
})

it('the number is changed by a code to each; one that has an account is reported at its field', async () => {
  const server = await open()
  await tap('登录手机')
  await untilBox('新手机号')
  await tap('获取验证码，原号码 138****8000 的验证码')
  await tap('确认更换')
  await untilShown('请输入正确的手机号')
  await type('原号码 138****8000 的验证码', '123456')
  await type('新手机号', '139 0013 9000')
  await tap('获取验证码，新号码的验证码')
  await until(() => server.asked('user.sendSmsCode').length > 1, 'both codes')
  expect(server.asked('user.sendSmsCode')).toMatchObject([{ scene: 2 }, { scene: 2, mobile: '13900139000' }])
  await type('新号码的验证码', '654321')
  taken = true
  await tap('确认更换')
  await untilShown('这个号码已经有账号')
  taken = false
  await tap('确认更换')
  await untilGone('更换登录手机')
  expect(server.asked('user.updateSettings').at(-1)).toEqual({
    mobile: { mobile: '13900139000', code: '654321', oldCode: '123456' },
  })
})

it('a code that was not sent is explained, and can be requested again', async () => {
  let early = true
  const server = await open({
    sendSmsCode: () => {
      if (early) throw new Refused(200, 'SMS_DAILY_LIMIT', '今日验证码次数已用完，请明天再试')
      return codeSent()
    },
  })
  await tap('登录手机')
  await untilBox('新手机号')
  await type('新手机号', '13900139000')
  await tap('获取验证码，新号码的验证码')
  await untilShown('今日验证码次数已用完')
  early = false
  await tap('获取验证码，新号码的验证码')
  await untilShown('秒后重发')
  expect(server.asked('user.sendSmsCode')).toHaveLength(2)
})

describe('the export of one’s own data', () => {
  it('is asked for after a question, and then is on its way', async () => {
    const server = await open()
    await untilShown('个人信息副本')
    await tap('个人信息副本')
    await untilShown('整理中')
    expect(dialog.confirm).toHaveBeenCalledWith(
      expect.objectContaining({ content: expect.stringContaining('24 小时') }),
    )
    expect(server.seen.at(-1)).toMatchObject({ call: 'dataExport.request', req: {} })
    await tap('个人信息副本')
    expect(dialog.toast).toHaveBeenCalledWith('正在整理，完成后会发消息通知您')
  })

  it('shows its address while it is valid', async () => {
    const copied = jest.spyOn(clipboard, 'copy').mockResolvedValue(true)
    const url = 'https://gz.example/data-exports/x/my-data.zip'
    await open({ copies: [{ status: 'READY', requestedAt: 1, url, expireAt: 1_796_000_000_000, bytes: 1000 }] })
    await untilShown('复制下载链接')
    await tap('个人信息副本')
    expect(copied).toHaveBeenCalledWith(url)
  })
})
