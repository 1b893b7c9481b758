import { trackKeyboardHeight } from '.'

it('reports how much of the page the keyboard covers, and nothing for bars and zoom', () => {
  const view = Object.assign(new EventTarget(), { height: 0, offsetTop: 0, scale: 1 })
  Object.assign(window, { innerHeight: 800, visualViewport: view })
  trackKeyboardHeight()
  const keyboard = (height: number, offsetTop = 0, scale = 1, event = 'resize') => {
    Object.assign(view, { height, offsetTop, scale })
    view.dispatchEvent(new Event(event))
    return document.documentElement.style.getPropertyValue('--keyboard')
  }
  expect(keyboard(464)).toBe('336px')
  // Safari has moved the page up by 100
  expect(keyboard(464, 100, 1, 'scroll')).toBe('236px')
  expect(keyboard(800)).toBe('0px')
  expect(keyboard(740)).toBe('0px')
  expect(keyboard(400, 0, 2)).toBe('0px')
})

it('is content in a browser that does not know', () => {
  Object.assign(window, { visualViewport: null })
  expect(trackKeyboardHeight).not.toThrow()
})
