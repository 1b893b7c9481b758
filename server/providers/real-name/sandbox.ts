import type { RealNamePort } from './port'

/** The one name that matches no number; every other name matches every valid number. For testing the refusal. */
const MISMATCH = '不匹配'

export const sandboxRealName: RealNamePort = {
  matches: async ({ name }) => !name.includes(MISMATCH),
}
