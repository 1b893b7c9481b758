import { LRUCache } from 'lru-cache'
import type { SmsPort } from './port'

/** Simulated phones: messages are kept so that /sandbox/sms can show the newest one. */
export interface SandboxSms extends SmsPort {
  newestCode(mobile: string): string | undefined
}

const MAX_PHONES = 10_000

export function createSandboxSms(): SandboxSms {
  const inbox = new LRUCache<string, string>({ max: MAX_PHONES })
  return {
    sendCode: async ({ mobile, code }) => void inbox.set(mobile, code),
    newestCode: (mobile) => inbox.get(mobile),
  }
}
