import { visibleText, wordedLength } from '@/contract/rules'
import { parseSignedYuan, parseYuanInput } from '../desk/format'
import { amountsIn, daysNamedIn, listPricesIn, mendedAmountsIn } from '../desk/text-claims'
import { maskPersonalData } from '../domains/chat/mask'
import { fillAmounts, unknownPlaceholder } from '../domains/reports/amount-placeholders'
import { withGain } from '../domains/reports/gain-in-text'
import { contactIssue, secretIssue } from '../domains/shared/contact-details'
import { failureReason } from '../domains/shared/failure-reason'
import { leastProcessorTime } from './processor'

/** characters: the longest body of a form or a call */
const LONGEST = 64 * 1024
/** ms of processor time */
const LIMIT = 50

const amounts = { predictFen: 0, quickFen: 0, listFen: 0 }
const readers: Record<string, (text: string) => unknown> = {
  visibleText,
  wordedLength,
  parseSignedYuan,
  parseYuanInput,
  amountsIn,
  listPricesIn,
  mendedAmountsIn,
  daysNamedIn: (text) => daysNamedIn(text, 0),
  maskPersonalData,
  fillAmounts: (text) => fillAmounts(text, amounts),
  unknownPlaceholder: (text) => unknownPlaceholder(text, []),
  withGain: (text) => withGain(text, 100, 200),
  contactIssue,
  secretIssue,
  failureReason: (text) => failureReason(new Error(text)),
}

/** Parts whose repetition a pattern with two ways to read a text, or with several starts, reads again and again. */
const parts = [
  ...' 1,.-年a元¥第近高花密是:微加不别信发告{[“"\'\\\n月%、挂',
  '\u3000',
  '\ufdfa',
  '\u200b',
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
const ends = ['', 'x', '元。\nx', '发密码']
const begins = ['', '别', '密码', '加', '第', '挂']

test.each(Object.keys(readers))('%s reads hostile text of the maximum length within 50 ms', async (name) => {
  const read = readers[name] ?? (() => undefined)
  const slow: string[] = []
  for (const [at, part] of parts.entries())
    for (const [i, end] of ends.entries()) {
      const begin = begins[(at + i) % begins.length] ?? ''
      const text = `${begin}${part.repeat((LONGEST - begin.length - end.length) / part.length)}${end}`
      if ((await leastProcessorTime(LIMIT, () => read(text), { most: 3 })) >= LIMIT)
        slow.push(JSON.stringify(`${begin}${part}…${end}`))
      // shows what is wrong, and not for minutes
      if (slow.length > 2) return expect(slow).toEqual([])
    }
  expect(slow).toEqual([])
})
