import { callTencent, type TencentKey } from '../cloud/tc3'
import type { RealNamePort } from './port'

export interface TencentRealNameSettings {
  key: TencentKey
  url: string
}

/** Results that mean no match: name and number differ, one of them is invalid, or no register has them. */
const mismatch: readonly string[] = ['-1', '-2', '-3', '-5']

/**
 * Tencent Cloud's check of name and number, `IdCardVerification` of 2018-03-01. Its input is never logged or stored.
 */
export const createTencentRealName = ({ key, url }: TencentRealNameSettings, now: () => number): RealNamePort => ({
  async matches({ name, idNo }) {
    const { Result } = await callTencent<{ Result: string }>(
      key,
      {
        url,
        service: 'faceid',
        action: 'IdCardVerification',
        version: '2018-03-01',
        body: { IdCard: idNo, Name: name },
      },
      now,
    )
    if (Result === '0') return true
    if (mismatch.includes(Result)) return false
    // the register is unavailable, or its daily quota is used up
    throw new Error(`tencent faceid: result ${Result}`)
  },
})
