import { type AliyunKey, callAliyun } from '../cloud/acs3'
import { kindOf, type SmsPort, SmsRejected } from './port'

export interface AliyunSmsSettings {
  key: AliyunKey
  sign: string
  /** has one variable, `code` */
  template: string
  url: string
}

const words = {
  LIMIT: ['isv.BUSINESS_LIMIT_CONTROL', 'isv.DAY_LIMIT_CONTROL', 'isv.MONTH_LIMIT_CONTROL', 'VerifyLimit'],
  NUMBER: [
    'isv.MOBILE_NUMBER_ILLEGAL',
    'isv.BLACK_KEY_CONTROL_LIMIT',
    'MOBILE_IN_BLACK',
    'isv.MOBILE_COUNT_OVER_LIMIT',
  ],
} as const

/** Alibaba Cloud SMS, `SendSms` of 2017-05-25. */
export const createAliyunSms = ({ key, sign, template, url }: AliyunSmsSettings, now: () => number): SmsPort => ({
  async sendCode({ mobile, code }) {
    const { Code = 'no code' } = await callAliyun(
      key,
      {
        url,
        action: 'SendSms',
        version: '2017-05-25',
        params: {
          PhoneNumbers: mobile,
          SignName: sign,
          TemplateCode: template,
          TemplateParam: JSON.stringify({ code }),
        },
      },
      now,
    )
    if (Code !== 'OK') throw new SmsRejected(kindOf(Code, words), Code)
  },
})
