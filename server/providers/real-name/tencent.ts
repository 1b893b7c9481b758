import { callTencent, type TencentService } from '../cloud/tc3'
import type { RealNamePort } from './port'

/** Results that mean no match: name and number differ, one of them is invalid, or no register has them. */
const mismatch: readonly string[] = ['-1', '-2', '-3', '-5']

/** Tencent Cloud's check of name and number, `IdCardVerification`. Its input is never logged or stored. */
export const createTencentRealName = (service: TencentService): RealNamePort => ({
  async matches({ name, idNo }) {
    const body = { IdCard: idNo, Name: name }
    const { Result } = await callTencent<{ Result: string }>(service, '2018-03-01', 'IdCardVerification', body)
    if (Result === '0') return true
    if (mismatch.includes(Result)) return false
    // the register is unavailable, or its daily quota is used up
    throw new Error(`tencent faceid: result ${Result}`)
  },
})
