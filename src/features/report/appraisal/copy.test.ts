import { humanCopy } from './copy'

it('what cannot be released is handled, not “released first”', () => {
  expect(humanCopy.bindingRemoval('先解绑微信', 5_000)).toBe('先解除：先解绑微信，可多卖约 ¥50')
  expect(humanCopy.bindingRemoval('在说明第一行写明渠道服', 0)).toBe('处理：在说明第一行写明渠道服')
})
