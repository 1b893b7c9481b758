import sharp from 'sharp'
import { encode } from 'uqr'
import { qrPng } from './png'

test('the picture shows the modules of the code, each as a square of 16 dots', async () => {
  const text = 'https://example.com/login?ticket=7f0c9d1e'
  const [type, base64 = ''] = qrPng(text).split(',')
  expect(type).toBe('data:image/png;base64')
  const { data: dots, info } = await sharp(Buffer.from(base64, 'base64'))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { data: modules, size } = encode(text, { ecc: 'M', border: 3 })
  expect([info.width, info.height, info.channels]).toEqual([16 * size, 16 * size, 1])
  const isDark = (x: number, y: number) => modules[Math.floor(y / 16)]?.[Math.floor(x / 16)]
  const wrong = [...dots].filter((dot, i) => dot !== (isDark(i % info.width, Math.floor(i / info.width)) ? 0 : 255))
  expect(wrong).toEqual([])
})
