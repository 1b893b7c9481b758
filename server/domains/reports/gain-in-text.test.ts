import { estimate } from '@/contract/format'
import { withGain } from './gain-in-text'

const gain = estimate(15_000)

test.each([
  ['先花 300 元导出首充记录，多卖 300 元', `先花 300 元导出首充记录，多卖 ${gain}`],
  ['办好能多卖约 ¥300，押金 300 元会退', `办好能多卖约 ${gain}，押金 300 元会退`],
  ['比不改高 300元；对方要 300 元定金，验号后退', `比不改高 ${gain}；对方要 300 元定金，验号后退`],
  ['改绑后买家肯加 300 元', `改绑后买家肯加 ${gain}`],
  ['改绑要先交 300 元', '改绑要先交 300 元'],
  ['对方要 300 元定金，验号后退', '对方要 300 元定金，验号后退'],
  ['对方收 300 元定金', '对方收 300 元定金'],
  ['定金 300 元，尾款 300 元', '定金 300 元，尾款 300 元'],
  ['多卖 3,000 元', '多卖 3,000 元'],
])('the gain in %s is that of the report', (text, expected) => {
  expect(withGain(text, 30_000, 15_000)).toBe(expected)
})
