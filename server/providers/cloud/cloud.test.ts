import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseSettings } from '../../settings'
import { openRealName } from '../real-name'
import { openSms } from '../sms'
import { SmsRejected } from '../sms/port'
import { createSandboxSms } from '../sms/sandbox'

/** A server that simulates any cloud: it records requests and answers as a test requires. */
const seen: { url: string; headers: IncomingHttpHeaders; body: string }[] = []
const next = { status: 200, body: {} as unknown }
const stand = createServer(async (req, res) => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  seen.push({ url: req.url ?? '', headers: req.headers, body: Buffer.concat(chunks).toString() })
  res.writeHead(next.status, { 'content-type': 'application/json' })
  res.end(JSON.stringify(next.body))
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => stand.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(stand.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => stand.close(resolve)))
beforeEach(() => {
  seen.length = 0
})
const asked = () => seen[0] ?? { url: '', headers: {} as IncomingHttpHeaders, body: '' }
const answer = (body: unknown, status = 200) => Object.assign(next, { body, status })
const fails = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (e: Error) => e,
  )

const TENCENT = { TENCENT_SECRET_ID: 'AKID1', TENCENT_SECRET_KEY: 'tencent-secret' }
const env = {
  ...TENCENT,
  TENCENT_SMS_APP_ID: '1400006666',
  SMS_SIGN: '估价专家',
  SMS_TEMPLATE: '1234',
}
/** The settings of an operator, with the address of a stand for the provider's. */
function settingsOf(operator: Record<string, string>) {
  const settings = parseSettings(operator)
  for (const service of [settings.sms, settings.realName]) if (service) service.url = url
  return settings
}
const open = () => openSms(settingsOf(env), createSandboxSms())
const message = { mobile: '13800138000', code: '246810', scene: 1 }

const signedBy = (key: string) =>
  expect.stringMatching(new RegExp(`^TC3-HMAC-SHA256 Credential=${key}/.*Signature=[0-9a-f]{64}$`))

test('Tencent Cloud is given number, signature and template, signed', async () => {
  answer({ Response: { SendStatusSet: [{ Code: 'Ok', Message: 'send success', IsoCode: 'CN' }], RequestId: 'r' } })
  await (await open()).sendCode(message)
  const { headers, body } = asked()
  expect(JSON.parse(body)).toEqual({
    PhoneNumberSet: ['+8613800138000'],
    SmsSdkAppId: '1400006666',
    SignName: '估价专家',
    TemplateId: '1234',
    TemplateParamSet: ['246810'],
  })
  expect(headers).toMatchObject({
    'x-tc-action': 'SendSms',
    'x-tc-version': '2021-01-11',
    'x-tc-region': 'ap-guangzhou',
    authorization: signedBy('AKID1'),
  })
})

const tencentSays = (Code: string) => ({ Response: { SendStatusSet: [{ Code }], RequestId: 'r' } })
test.each([
  [tencentSays('LimitExceeded.PhoneNumberDailyLimit'), 'LIMIT'],
  [tencentSays('FailedOperation.PhoneNumberInBlacklist'), 'NUMBER'],
  [tencentSays('FailedOperation.InsufficientBalanceInSmsPackage'), 'OURS'],
  [{ Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: 'x' }, RequestId: 'r' } }, 'OURS'],
] as const)('%j means %s', async (body, kind) => {
  answer(body)
  const error = await fails((await open()).sendCode(message))
  expect(error).toBeInstanceOf(SmsRejected)
  expect(error).toMatchObject({ kind })
})

test('a carrier that is away: an error without number, code or key', async () => {
  answer({}, 502)
  const error = await fails((await open()).sendCode(message))
  expect(error).not.toBeInstanceOf(SmsRejected)
  expect(`${error?.message}${error?.stack}`).not.toMatch(/13800138000|246810|secret/)
})

describe('name and ID number', () => {
  const person = { name: '欧阳小乙', idNo: '11010519491231002X' }
  const port = () => openRealName(settingsOf({ ...TENCENT, REALNAME_PROVIDER: 'tencent' }))
  const result = (Result: string) => answer({ Response: { Result, Description: 'x', RequestId: 'r' } })

  test('are asked of Tencent Cloud, signed', async () => {
    result('0')
    expect(await (await port()).matches(person)).toBe(true)
    const { headers, body, url: path } = asked()
    expect(JSON.parse(body)).toEqual({ IdCard: person.idNo, Name: person.name })
    expect(headers).toMatchObject({
      'x-tc-action': 'IdCardVerification',
      'x-tc-version': '2018-03-01',
      authorization: signedBy('AKID1'),
    })
    expect(path).not.toContain('1101')
  })

  test.each(['-1', '-2', '-3', '-5'])('%s: somebody else', async (code) => {
    result(code)
    expect(await (await port()).matches(person)).toBe(false)
  })

  test.each(['-4', '-6', '-7'])('%s: the register was unreachable', async (code) => {
    result(code)
    const error = await fails((await port()).matches(person))
    expect(error?.message).toBe(`tencent faceid: result ${code}`)
  })

  test('an error contains no personal data', async () => {
    answer({ Response: { Error: { Code: 'InvalidParameterValue', Message: person.idNo }, RequestId: 'r' } })
    const error = await fails((await port()).matches(person))
    expect(`${error?.message}${error?.stack}`).not.toMatch(/1101|欧阳/)
  })
})

test('a provider is set as a whole', () => {
  expect(() => parseSettings({ SMS_SIGN: 'x' })).toThrow('设置 TENCENT_SMS_APP_ID、SMS_TEMPLATE 缺失')
  expect(() => parseSettings({ REALNAME_PROVIDER: 'tencent' })).toThrow('TENCENT_SECRET_ID、TENCENT_SECRET_KEY')
  expect(() => parseSettings({ ...env, TENCENT_SECRET_ID: '', TENCENT_SECRET_KEY: '' })).toThrow(
    '设置 TENCENT_SECRET_ID、TENCENT_SECRET_KEY 缺失：TENCENT_SMS_APP_ID',
  )
})
