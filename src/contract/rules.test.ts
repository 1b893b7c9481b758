import { cleanProse, smsCodeOf } from './cleanText'
import { maskGameId, maskIdNo, maskMobile, maskName, maskNick } from './mask'
import {
  birthTimeOf,
  idNoIssue,
  mobileIssue,
  nameIssue,
  normaliseIdNo,
  normaliseMobile,
  normaliseName,
  passwordIssue,
  passwordTicks,
  realNameIssue,
  smsCodeIssue,
  visibleText,
  wordedLength,
} from './rules'

const NOW = Date.UTC(2025, 10, 21)

test.each([
  '13800138000',
  '19400000000',
  '+86 138-0013-8000',
  ' 199 9999 9999 ',
  '\u202d+86 138 0013 8000\u202c',
  '(+86) 138-0013-8000',
  '0086 13800138000',
  '手机号码：138-0013-8000，',
  '１３８００１３８０００',
  '138\u200b00138000',
  '138–0013–8000',
])('%s is a mobile number', (text) => {
  expect(mobileIssue(text)).toBeUndefined()
  expect(normaliseMobile(text)).toMatch(/^1\d{10}$/)
})
test.each(['', '12800138000', '1380013800', '138001380000', '1380013800a', '8613800138000', '14,00000000'])(
  '%s is no mobile number',
  (text) => expect(mobileIssue(text)).toBe('请输入正确的手机号'),
)

test.each(['123 456', '１２３４５６', '【估价7881】尾号8000的用户，您的验证码是123456，5分钟内有效', '1\u200b23456'])(
  'the SMS code in %j',
  (text) => expect(smsCodeOf(text)).toBe('123456'),
)
test.each(['身份证号：11010519491231002X。', '110105 19491231 002x', '\u202d11010519491231002X\u202c'])(
  '%j is reduced to the ID number',
  (text) => {
    expect(normaliseIdNo(text)).toBe('11010519491231002X')
  },
)
test('different dots make the same name', () => expect(normaliseName('尼 ･ 巴特尔 ')).toBe('尼·巴特尔'))

test('SMS code: six digits and nothing else', () => {
  expect(smsCodeIssue('012345')).toBeUndefined()
  for (const text of ['12345', '1234567', '12345a', ' 12345', '１２３４５６']) {
    expect(smsCodeIssue(text)).toBe('请输入 6 位验证码')
  }
})

test.each([
  ['abcd1234', true],
  ['a1!@#$%^&*()_+a1b2c3', true],
  ['abc1234', false],
  ['abcdefgh', false],
  ['12345678', false],
  ['abcd 1234', false],
  ['a1b2c3d4e5f6g7h8i9j0k', false],
  ['a13800138000', false],
])('the password %s is judged by the rule', (text, ok) => {
  expect(passwordIssue(text, '138 0013 8000')).toBe(ok ? undefined : '密码为 8-20 位字母加数字')
  expect(passwordTicks(text, '13800138000').every((tick) => tick.ok)).toBe(ok)
})
test('an empty password fulfils no part of the rule', () => {
  expect(passwordTicks('').some((tick) => tick.ok)).toBe(false)
})

test.each([
  '张三',
  '尼·巴特尔',
  '张\u200b三',
  ...Array.from('•・．‧･.⋅∙', (dot) => `阿卜杜拉 ${dot} 买买提`),
  '阿卜杜拉·买买提',
  '欧阳娜娜',
])('%s is a name', (text) => expect(realNameIssue(text)).toBeUndefined())
test.each([
  '张',
  'Zhang San',
  '张三1',
  '·张三',
  '张三·',
  '张 三',
  '一'.repeat(31),
  `${'一'.repeat(15)}·${'一'.repeat(15)}`,
])('%s is no name', (text) => expect(realNameIssue(text)).toBe('请输入身份证上的姓名'))

test.each(['11010519491231002X', '11010519491231002x', '120223198902021249', '130132199210293822'])(
  '%s is an ID number',
  (idNo) => {
    expect(idNoIssue(idNo, NOW)).toBeUndefined()
  },
)
test.each([
  ['440524188001010014', 'older than 120'],
  ['130402198207290622', 'check digit'],
  ['110105194912310021', 'check digit'],
  ['11010519490231002X', 'no such day'],
  ['110105491231002', '15 digits'],
  ['990105194912310024', 'no such province'],
  ['', 'empty'],
])('%s is no ID number (%s)', (idNo) => expect(idNoIssue(idNo, NOW)).toBe('身份证号有误，请检查'))

/** An ID number with a valid check digit for a date of birth, found by trying all eleven. */
function idBorn(day: string): string {
  const found = [...'0123456789X'].map((check) => `110105${day}001${check}`).filter((idNo) => !idNoIssue(idNo, NOW))
  return found[0] ?? ''
}

test('a birthday begins at midnight in China', () => {
  expect(birthTimeOf(idBorn('20071121'), 18)).toBe(Date.UTC(2025, 10, 20, 16))
})
test('an age of 120 is accepted until the next birthday, a date of birth in the future is not', () => {
  expect(idBorn('19041122')).not.toBe('')
  expect(idBorn('19041121')).toBe('')
  expect(idBorn('20251121')).not.toBe('')
  expect(idBorn('20251122')).toBe('')
})

test('a nickname has 2 to 16 visible characters and no link', () => {
  expect(nameIssue('峡谷老玩家')).toBeUndefined()
  expect(nameIssue('a')).toBe('昵称为 2-16 个字')
  expect(nameIssue('😀'.repeat(16))).toBeUndefined()
  expect(nameIssue('加我 abc.com')).toBe('昵称不能包含网址')
  expect(nameIssue('张三\u202e服客')).toBe('昵称不能包含看不见的字符')
  expect(nameIssue('\u200b\u200b')).toBe('昵称不能包含看不见的字符')
  expect(nameIssue('👨\u200d👩\u200d👧 一家')).toBeUndefined()
  expect(nameIssue('❤\ufe0f')).toBe('昵称为 2-16 个字')
})

test.each(
  [
    ...[0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x2028, 0x202e],
    ...[0x2060, 0x206f, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff0, 0x1d173, 0xe0001, 0xe0100, 0xe01ef],
  ].map((code) => [code.toString(16), String.fromCodePoint(code)] as const),
)('U+%s between two characters of a name is refused', (_, invisible) => {
  expect(nameIssue(`官${invisible}方`)).toBe('昵称不能包含看不见的字符')
  expect(nameIssue(invisible.repeat(3))).toBe('昵称不能包含看不见的字符')
})

test.each([
  ['\u200b\u200c\u2060\ufeff\u3164\u2800', ''],
  ['\u3000\u200b \u200b', ''],
  ['\u0001\u0008', ''],
  ['已\u200b核对', '已核对'],
  ['a \u3000\n  b', 'a b'],
])('invisible characters of %j are dropped', (text, seen) => expect(visibleText(text)).toBe(seen))

test.each([
  ['皮肤齐全，区服热门。', 10],
  ['——A-1，已 核对！！', 9],
  ['…👍🏽\u0301㊗\ufe0f\u3164', 0],
])('the length of the required text %j counts its words', (text, length) => expect(wordedLength(text)).toBe(length))

test.each([
  '❤\ufe0f\u200d🔥大号',
  '👁\ufe0f\u200d🗨\ufe0f 见',
  '🏃🏽\u200d♀\ufe0f跑',
  '1\ufe0f\u20e3号',
  '㊗\ufe0f顺利',
  '🇨🇳玩家',
  '☁\ufe0f'.repeat(8),
  '👨\u200d👩\u200d👧\u200d👦一家',
  '👩🏽\u200d🚀 去',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 队',
  '🏴\u200d☠\ufe0f 号',
])('the parts of an emoji belong to it, in a name and in prose: %s', (name) => {
  expect(nameIssue(name)).toBeUndefined()
  expect(cleanProse(`${name}，${name}`)).toBe(`${name}，${name}`)
})
test.each([
  ['微\u200b信\u202e号\u2060：\ufeffab\xadc', '微信号：abc'],
  ['皮肤\ufe0f齐全\ufe0e\u{e0100}', '皮肤齐全'],
  ['❤\ufe0f\ufe0f好🔥\u200d\u200d', '❤\ufe0f好🔥'],
  ['🔥\u{e0068}\u{e0069}', '🔥'],
  ['1\ufe0f2', '12'],
  ['全角ＡＢ，　①', '全角ＡＢ，　①'],
])('the prose %j loses what is not seen and keeps its width', (text, clean) => expect(cleanProse(text)).toBe(clean))
test('the same characters outside an emoji are refused as invisible', () => {
  for (const name of ['❤\ufe0f\ufe0f客服', '🔥\u200d\u200d客', '1\ufe0f2', '官\ufe0f方客\ufe0f服'])
    expect(nameIssue(name)).toBe('昵称不能包含看不见的字符')
})

test('masks hide the middle of numbers and names', () => {
  expect(maskMobile('13800138000')).toBe('138****8000')
  expect(maskName('张三')).toBe('张*')
  expect(maskName('张')).toBe('张*')
  expect(maskIdNo('11010519491231002X')).toBe('1101**********002X')
  expect(maskNick('峡谷旅客')).toBe('峡**客')
  expect(maskNick('峡谷')).toBe('峡**')
  expect(maskGameId('548123090')).toBe('548***090')
  expect(maskGameId('12345')).toBe('***')
})
