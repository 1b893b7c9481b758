import { cleanProse, cleanText, smsCodeOf } from '@/contract/cleanText'
import type { FormConfig } from '@/contract/form/types'
import { mobileIssue, normaliseIdNo, realNameIssue, visibleText, wordedLength } from '@/contract/rules'
import { pathOf, redact } from '../core/log'
import { toJsonbText } from '../db/jsonb-text'
import { parseSignedYuan, parseYuanInput } from '../desk/format'
import { maskPersonalData } from '../domains/chat/mask'
import { askingPriceOf } from '../domains/games/listings/asking-price'
import { splitLinks } from '../domains/games/listings/marketplaces'
import { parseListing } from '../domains/games/listings/parse-listing'
import { contactIssue, secretIssue } from '../domains/shared/contact-details'
import { failureReason } from '../domains/shared/failure-reason'
import { isForbidden } from '../domains/shared/text-moderation'
import { leastProcessorTime } from './processor'

/** characters: the longest body of a form or a call */
const LONGEST = 64 * 1024
/** ms of processor time */
const LIMIT = 50

const readers: Record<string, (text: string) => unknown> = {
  visibleText,
  wordedLength,
  parseSignedYuan,
  parseYuanInput,
  maskPersonalData,
  contactIssue,
  secretIssue,
  failureReason: (text) => failureReason(new Error(text)),
  isForbidden: (text) => isForbidden(text, 'PROFILE'),
  cleanProse,
  cleanText,
  smsCodeOf,
  mobileIssue,
  normaliseIdNo,
  realNameIssue,
  toJsonbText,
  redact,
  pathOf,
}

/** characters of a pasted listing: the limits of `linkVerify` */
const LISTING = 2_500
const forms = ['hok', 'ys'].map((id): FormConfig => require(`../fixtures/games/${id}.json`))
const listingReaders: Record<string, (text: string) => unknown> = {
  splitLinks,
  askingPriceOf,
  ...Object.fromEntries(
    forms.map((config) => [`parseListing of ${config.name}`, (text) => parseListing(config, text)]),
  ),
}

/** Parts whose repetition a pattern with two ways to read a text, or with several starts, reads again and again. */
const parts = [
  ...' 1,.-年a元¥第近高花密是:微加不别信发告{[“"\'\\\n月%、挂',
  '\u3000',
  '\ufdfa',
  '\u200b',
  '🔥',
  '🏴\u{e0067}',
  '1.',
  '1,',
  '1 ',
  ' \n',
  '1元',
  '¥1',
  '第 ',
  '多卖到',
  '挂牌',
  '标题',
  '解绑',
  '密码',
  '密码 ',
  '微信',
  '微信-',
  '加微信',
  '加我的',
  '请发',
  '告诉我',
  '提供密',
  'qq1',
  '138 ',
  '1 0 ',
  '62',
]
/** The same for the parts of a listing: labels, numbers, copies, negations, lists and symbols. */
const listingParts = [
  ...'不、:x💎三命+',
  ...[
    '皮肤',
    '皮肤1',
    '1皮肤',
    '1 皮肤 ',
    '皮肤、',
    '没有皮肤',
    '不:',
    '💎:',
    '1万',
    '1,',
    '1,111,',
    '3亿5',
    '专武',
    '5把专武',
  ],
  ...[
    '把 专武',
    '胡桃',
    '胡桃2命',
    '胡桃、',
    '胡桃 ',
    '1+1',
    '精',
    '王者',
    '王者1',
    'v8',
    'a.com',
    'https://',
    '售价',
    '售价:',
    '¥ ',
  ],
]
const ends = ['', 'x', '元。\nx', '发密码']
const begins = ['', '别', '密码', '加', '第', '挂']

/** Texts of a length that take a reader too long; a few show what is wrong, and not for minutes. */
async function slowTexts(read: (text: string) => unknown, length: number, all: readonly string[]): Promise<string[]> {
  const slow: string[] = []
  for (const [index, part] of all.entries())
    for (const [i, end] of ends.entries()) {
      const begin = begins[(index + i) % begins.length] ?? ''
      const text = `${begin}${part.repeat((length - begin.length - end.length) / part.length)}${end}`
      if ((await leastProcessorTime(LIMIT, () => read(text), { most: 8 })) >= LIMIT)
        slow.push(JSON.stringify(`${begin}${part}…${end}`))
      if (slow.length > 2) return slow
    }
  return slow
}

test.each(Object.entries(readers))('%s reads hostile text of the maximum length within 50 ms', async (_, read) => {
  expect(await slowTexts(read, LONGEST, parts)).toEqual([])
})

test.each(Object.entries(listingReaders))('%s reads a hostile listing within 50 ms', async (_, read) => {
  expect(await slowTexts(read, LISTING, [...parts, ...listingParts])).toEqual([])
})
