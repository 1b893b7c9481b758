import type { SmsPort } from './port'

/** Simulated phones: messages are kept so that /sandbox/sms can show the newest one. */
export interface SandboxSms extends SmsPort {
  newestCode(mobile: string): string | undefined
}

const MAX_PHONES = 10_000

export function createSandboxSms(): SandboxSms {
  const inbox = new Map<string, string>()
  return {
    async sendCode({ mobile, code }) {
      inbox.delete(mobile)
      inbox.set(mobile, code)
      const oldest = inbox.keys().next().value
      if (inbox.size > MAX_PHONES && oldest !== undefined) inbox.delete(oldest)
    },
    newestCode: (mobile) => inbox.get(mobile),
  }
}
