import { withQrCodeParams } from './qrCodeParams'

it.each([
  ['c%3Ddouyin%26s%3Dtok_1', { channelCode: 'douyin', shareToken: 'tok_1' }],
  ['recordId%3Dr-1', { recordId: 'r-1' }],
  ['douyin', { channelCode: 'douyin' }],
  ['c%3D%E6%8A%96%E9%9F%B3', { channelCode: '%E6%8A%96%E9%9F%B3' }],
  ['c%3Da%3Db', { channelCode: 'a%3Db' }],
  ['%E4%', {}],
  ['s%3D', {}],
  ['__proto__%3Dx', {}],
])('scene=%s is read', (scene, said) => {
  expect(withQrCodeParams({ scene })).toEqual({ ...said, scene })
})

it('parameters of the address take precedence, and an address without scene is left as it is', () => {
  const query = { scene: 'c%3Ddouyin', channelCode: 'wx' }
  expect(withQrCodeParams(query).channelCode).toBe('wx')
  const plain = { a: '1' }
  expect(withQrCodeParams(plain)).toBe(plain)
})
