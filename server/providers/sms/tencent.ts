import { callTencent, type TencentKey, TencentRejected } from '../cloud/tc3'
import { type SmsPort, SmsRejected, type SmsRejection } from './port'

export interface TencentSmsSettings {
  key: TencentKey
  /** SmsSdkAppId */
  appId: string
  sign: string
  /** id of a template with one parameter, the code */
  template: string
  url: string
}

const words = {
  LIMIT: ['LimitExceeded.'],
  NUMBER: [
    'InvalidParameterValue.IncorrectPhoneNumber',
    'UnsupportedOperation.',
    'FailedOperation.PhoneNumberInBlacklist',
    'FailedOperation.PhoneNumberParseFail',
  ],
} as const

/** The first kind with a prefix of the error code. */
const kindOf = (reason: string): SmsRejection =>
  (['LIMIT', 'NUMBER'] as const).find((kind) => words[kind].some((word) => reason.startsWith(word))) ?? 'OURS'

/** Tencent Cloud SMS, `SendSms` of 2021-01-11. */
export const createTencentSms = (
  { key, appId, sign, template, url }: TencentSmsSettings,
  now: () => number,
): SmsPort => ({
  async sendCode({ mobile, code }) {
    const refuse = (reason: string) => new SmsRejected(kindOf(reason), reason)
    const response = await callTencent<{ SendStatusSet?: { Code: string }[] }>(
      key,
      {
        url,
        service: 'sms',
        action: 'SendSms',
        version: '2021-01-11',
        body: {
          PhoneNumberSet: [`+86${mobile}`],
          SmsSdkAppId: appId,
          SignName: sign,
          TemplateId: template,
          TemplateParamSet: [code],
        },
      },
      now,
    ).catch((e: unknown) => {
      throw e instanceof TencentRejected ? refuse(e.code) : e
    })
    const status = response.SendStatusSet?.[0]?.Code
    if (status !== 'Ok') throw refuse(status ?? 'no status')
  },
})
