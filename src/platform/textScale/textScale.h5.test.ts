import { showTextScale } from '.'

it('what stands outside of the pages (messages, previews) takes its size from the root', () => {
  showTextScale(2)
  expect(getComputedStyle(document.documentElement).getPropertyValue('--font-scale')).toBe('2')
})
