import { isAllowed } from './domains'

test.each([
  ['https://pvp.qq.com/a?b=1', true],
  ['https://x.pvp.qq.com/', true],
  ['https://gz.example.com/sandbox/collector?taskId=1', true],
  ['http://127.0.0.1:3000/x', true],
  ['http://pvp.qq.com/', false],
  ['https://evilpvp.qq.com.evil.test/', false],
  ['https://pvp.qq.com@evil.test/', false],
  ['https://evil.test/https://pvp.qq.com/', false],
  ['https://notpvp.qq.com/', false],
  ['https://pvp.qq.com\\@evil.test/', false],
  ['javascript:alert(1)//https://pvp.qq.com/', false],
  ['data:text/html,hi', false],
  ['//pvp.qq.com/', false],
  ['', false],
])('%s may be shown: %s', (url, allowed) => {
  expect(isAllowed(url, ['gz.example.com', '127.0.0.1:3000'])).toBe(allowed)
})
