import { callTencent, TencentRejected, type TencentService } from '../cloud/tc3'
import { type SmsPort, SmsRejected, type SmsRejection } from './port'

export interface TencentSmsSettings extends TencentService {
  /** SmsSdkAppId */
  appId: string
  sign: string
  /** id of a template with one parameter, the code */
  template: string
}

/** Error codes of a number that cannot get this message. */
const ofNumber =
  /^(InvalidParameterValue\.IncorrectPhoneNumber|UnsupportedOperation\.|FailedOperation\.PhoneNumber(InBlacklist|ParseFail))/

function kindOf(reason: string): SmsRejection {
  if (reason.startsWith('LimitExceeded.')) return 'LIMIT'
  return ofNumber.test(reason) ? 'NUMBER' : 'OURS'
}

/** Tencent Cloud SMS, `SendSms`. */
export const createTencentSms = ({ appId, sign, template, ...service }: TencentSmsSettings): SmsPort => ({
  async sendCode({ mobile, code }) {
    const refuse = (reason: string) => new SmsRejected(kindOf(reason), reason)
    const body = {
      PhoneNumberSet: [`+86${mobile}`],
      SmsSdkAppId: appId,
      SignName: sign,
      TemplateId: template,
      TemplateParamSet: [code],
    }
    const { SendStatusSet } = await callTencent<{ SendStatusSet?: { Code: string }[] }>(
      service,
      '2021-01-11',
      'SendSms',
      body,
    ).catch((e: unknown) => {
      throw e instanceof TencentRejected ? refuse(e.code) : e
    })
    const status = SendStatusSet?.[0]?.Code
    if (status !== 'Ok') throw refuse(status ?? 'no status')
  },
})
