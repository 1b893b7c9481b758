import { maskIdNo, maskMobile } from '@/contract/mask'
import { MOBILE } from '../shared/contact-details'

const ID_NO = /(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dXx](?![\dXx])/g
const CARD_NO = /(?<!\d)62\d{14,17}(?!\d)/g
/** `密码：abc123`, `验证码是 123456` */
const SECRET = /(密码|口令|验证码|pass ?word|pwd)((?:\s|是|为|就|叫|[:：=])*)([\x21-\x7e]{4,64})/gi

/**
 * Masks phone, ID and bank card numbers and removes passwords and codes before a message is stored. Applies to staff
 * messages too; those with contact data are refused before.
 */
export function maskPersonalData(text: string): { text: string; hidden: boolean } {
  const kept = text
    .replace(ID_NO, (no) => maskIdNo(no))
    .replace(CARD_NO, (no) => `${no.slice(0, 4)}****${no.slice(-4)}`)
    .replace(MOBILE, (_all, a: string, b: string, c: string) => maskMobile(a + b + c))
    .replace(SECRET, (_all, name: string, between: string) => `${name}${between}****`)
  return { text: kept, hidden: kept !== text }
}
