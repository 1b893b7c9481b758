import { showTextScale } from '.'

it('elements outside of the pages (messages, previews) take their size from the root', () => {
  showTextScale(2)
  expect(getComputedStyle(document.documentElement).getPropertyValue('--font-scale')).toBe('2')
})
