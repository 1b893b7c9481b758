import { parseSignedYuan, parseYuanInput } from './format'

test.each([
  ['5', 500],
  ['5.5', 550],
  [' ¥1,280.05 ', 128_005],
  ['￥ 12，000', 1_200_000],
  ['999,999,999', 99_999_999_900],
])('%s is read as fen', (text, fen) => {
  expect(parseYuanInput(text)).toBe(fen)
  expect(parseSignedYuan(`−${text.trim()}`)).toBe(-fen)
})

// a price ten or a hundred times as high would be worse than a message
test.each(['', '5,50', '5，5', '1,5', '12,34,567', '5 0', '5.555', '1e3', '-5', '５', '1,000,000,000', '5元'])(
  '%s is refused',
  (text) => expect(parseYuanInput(text)).toBeUndefined(),
)
