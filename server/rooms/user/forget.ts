import type { Job } from '../../jobs/sweep'

/** ms; no limit looks further back */
const DAY = 86_400_000

/**
 * Takes away what only limits needed: numbers that asked for a code or were tried with a password, and networks. Most of
 * them never became users.
 */
export const oldTries: Job = {
  name: 'old codes and tries',
  async run({ db }, now) {
    const before = now - DAY
    const gone = [
      await db.deleteFrom('sms_codes').where('sent_at', '<=', before).executeTakeFirst(),
      await db.deleteFrom('password_tries').where('since', '<=', before).executeTakeFirst(),
      await db.deleteFrom('turns').where('since', '<=', before).executeTakeFirst(),
    ]
    return gone.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0)
  },
}
