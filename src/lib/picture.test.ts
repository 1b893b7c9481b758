import { fitWithin, isPicture } from './picture'

const head = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0))

it.each([
  ['\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01', true],
  ['\x89PNG\r\n\x1a\n\x00\x00\x00\r', true],
  ['RIFF\x24\x00\x00\x00WEBP', true],
  ['RIFF\x24\x00\x00\x00WAVE', false],
  ['MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00', false],
  ['GIF89a\x01\x00\x01\x00\x80\x00', false],
  ['<svg xmlns=', false],
  ['\xff\xd8', false],
  ['', false],
])('%j is a picture: %s', (text, yes) => expect(isPicture(head(text))).toBe(yes))

it.each([
  [4000, 3000, 1600, 1200],
  [1080, 2400, 720, 1600],
  [800, 600, 800, 600],
  [1080, 12000, 720, 8000],
  [600, 9000, 600, 9000],
  [20000, 3, 1600, 1],
])('%i × %i becomes %i × %i', (width, height, w, h) => {
  expect(fitWithin(width, height, { longSide: 1600, minWidth: 720 })).toEqual({ width: w, height: h })
})
