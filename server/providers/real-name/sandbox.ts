import type { RealNamePort } from './port'

/** Every right number matches every name, except this one: so the refusal can be tried out too. */
const MISMATCH = '不匹配'

export const sandboxRealName: RealNamePort = {
  matches: async ({ name }) => !name.includes(MISMATCH),
}
