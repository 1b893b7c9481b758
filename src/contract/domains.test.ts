import { isOnDomain } from './domains'

test.each([
  ['https://pvp.qq.com/a?b=1', true],
  ['https://x.pvp.qq.com/', true],
  ['HTTPS://PVP.QQ.com/', true],
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
])('%s is of the list: %s', (url, listed) => {
  expect(isOnDomain(url, ['pvp.qq.com'])).toBe(listed)
})
