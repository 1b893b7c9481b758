/** An appraiser at the real desk without a browser: reads its pages and sends its forms. */
import { type BindingItem, bindingItemText, keysOf } from '@/contract/labels'
import type { RunningServer } from '../fakes/server'

/** Text of HTML without tags. */
export const unescaped = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
const csrfIn = (page: string) => /name="csrf" value="(\w+)"/.exec(page)?.[1] ?? ''

export interface DeskClient {
  /** @throws Error unless the page is found */
  see(path: string): Promise<string>
  /** Sends a form. @returns the page that answers it @throws Error with the desk's message when it refuses */
  send(path: string, fields?: Record<string, string>): Promise<string>
}

/** Signs in at the desk. @throws Error when name or password is wrong */
export async function deskClient({ url }: RunningServer, name: string, password: string): Promise<DeskClient> {
  const open = (path: string, cookie = '', fields?: Record<string, string>) =>
    fetch(url + path, {
      redirect: 'manual',
      headers: { cookie },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    })
  const login = await open('/desk/login', '', { name, password })
  const cookie = (login.headers.getSetCookie().find((one) => one.startsWith('desk=')) ?? '').split(';')[0]
  if (login.status !== 303 || !cookie) throw new Error(`desk: ${name} is not let in`)
  const answered = async (path: string, answer: Response) => {
    const page = await answer.text()
    if (answer.status >= 400) throw new Error(`desk ${path}: ${/role="alert"[^>]*>([^<]*)/.exec(page)?.[1]}`)
    return page
  }
  let csrf = ''
  const see = async (path: string) => {
    const page = await answered(path, await open(path, cookie))
    csrf = csrfIn(page) || csrf
    return page
  }
  await see('/desk/password')
  return {
    see,
    send: async (path, fields = {}) => answered(path, await open(path, cookie, { csrf, ...fields })),
  }
}

/** Makes an appraiser's account and its own password. */
export async function hireAppraiser(
  server: RunningServer,
  admin: DeskClient,
  person: { name: string; nick: string; years: string; intro: string },
): Promise<DeskClient> {
  const { name, nick, years, intro } = person
  const made = await admin.send('/desk/staff', { name, nick, years, role: 'APPRAISER' })
  const once = /<code>([^<]+)<\/code>/.exec(made)?.[1] ?? ''
  const row = (await admin.see('/desk/staff')).split(`<tr><td>${name}</td>`)[1] ?? ''
  const staffId = /\/desk\/staff\/([^/"]+)\/profile/.exec(row)?.[1] ?? ''
  await admin.send(`/desk/staff/${staffId}/profile`, { avatar: '', years, intro })
  const first = await deskClient(server, name, once)
  const password = `${name}-2026-own`
  await first.send('/desk/password', { old: once, password, again: password })
  return deskClient(server, name, password)
}

/** Values of the delivery form. Amounts in yuan. */
export interface DeliveryPage {
  modelYuan: number
  /** lines of the model's price, largest first, and the number of them that need a verdict */
  lines: { label: string; yuan: number }[]
  leastNotes: number
  /** `yuan`: adjusted to this account; `taken`: adopted by the other appraiser */
  comparables: {
    id: string
    kind: string
    price: number
    yuan: number
    similarity: number
    diff: string
    taken: boolean
  }[]
  leastComparables: number
  leastChannels: number
  /** answers of the account, as on the page */
  facts: { label: string; value: string }[]
  /** binding and recovery are to be judged */
  binding: boolean
  /** what the account says about each item of binding */
  bindingFacts: Partial<Record<BindingItem, string>>
  leastSteps: number
  leastBargains: number
  checks: number
}

const yuanOf = (text: string) => Number(text.replace(/[^\d.]/g, '')) * (/^[-−]/.test(text.trim()) ? -1 : 1)

/** Reads an order's page after committing a blind estimate. */
export function readDelivery(page: string): DeliveryPage {
  const least = (words: RegExp) => Number(words.exec(page)?.[1] ?? 0)
  const rows = (name: string, value: string) => [
    ...page.matchAll(
      new RegExp(
        `<div class="note-row[^"]*"><span><b>([^<]*)</b>([^<]*)<input type="hidden" name="${name}-\\d+-${value}" value="([^"]*)"`,
        'g',
      ),
    ),
  ] // prettier-ignore
  const diffs = [...page.matchAll(/<small>(相比：[^<]*|主要资料一致)<\/small>/g)].map(([, text = '']) =>
    unescaped(text),
  )
  const similarities = [...page.matchAll(/相似 (\d+)%/g)].map(([, percent]) => Number(percent))
  const answers = /<h2>账号资料<\/h2>(.*?)<h2>/s.exec(page)?.[1] ?? ''
  return {
    facts: [...answers.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g)].map(([, label = '', value = '']) => ({
      ...{ label: unescaped(label), value: unescaped(value) },
    })),
    modelYuan: yuanOf(/AI 估价<\/h2><p class="price">([^<]*)/.exec(page)?.[1] ?? ''),
    lines: rows('note', 'label').map(([, , yuan = '', label = '']) => ({
      label: unescaped(label),
      yuan: yuanOf(yuan),
    })),
    leastNotes: least(/明细逐条表态（至少 (\d+) 项/),
    comparables: rows('like', 'id').map(([, yuan = '', words = '', id = ''], i) => {
      const [, kind = '', price = ''] = /(\S+) ¥([\d,.]+)/.exec(words) ?? []
      return {
        ...{ id: unescaped(id), kind, price: yuanOf(price), yuan: yuanOf(yuan) },
        ...{ similarity: similarities[i] ?? 0, diff: diffs[i] ?? '', taken: words.includes('另一位已采用') },
      }
    }),
    leastComparables: least(/可比账号取舍（至少 (\d+) 个/),
    leastChannels: least(/在哪卖（至少 (\d+) 个渠道/),
    binding: page.includes('name="bind-'),
    bindingFacts: Object.fromEntries(
      keysOf(bindingItemText).map((item) => [
        item,
        unescaped(new RegExp(`<b>${bindingItemText[item]}</b><span class="hint">([^<]*)`).exec(page)?.[1] ?? ''),
      ]),
    ),
    leastSteps: least(/降价计划（至少 (\d+) 步/),
    leastBargains: least(/买家压价怎么回（至少 (\d+) 种/),
    checks: [...page.matchAll(/name="check-\d+"/g)].length,
  }
}
