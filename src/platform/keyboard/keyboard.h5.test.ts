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

it('scrolls the page back in a browser that does not know', async () => {
  Object.assign(window, { visualViewport: null })
  trackKeyboardHeight()
  document.body.innerHTML = '<input id=a><input id=b>'
  const [a, b] = document.querySelectorAll('input')
  const scrolled = jest.spyOn(window, 'scrollTo').mockImplementation()
  const rest = () => new Promise((resolve) => setTimeout(resolve, 10))
  a?.focus()
  // the keyboard stays
  b?.focus()
  await rest()
  expect(scrolled).not.toHaveBeenCalled()
  b?.blur()
  await rest()
  expect(scrolled.mock.calls).toEqual([[0, 0]])
})
