import { LRUCache } from 'lru-cache'

const MAX_PHONES = 10_000

export type SandboxSms = ReturnType<typeof createSandboxSms>

/** Simulated phones: messages are kept so that /sandbox/sms can show the newest one. */
export function createSandboxSms() {
  const inbox = new LRUCache<string, string>({ max: MAX_PHONES })
  return {
    sendCode: async ({ mobile, code }: { mobile: string; code: string }) => void inbox.set(mobile, code),
    newestCode: (mobile: string) => inbox.get(mobile),
  }
}
