import { installGestures } from '.'

const tapped: string[] = []
const tap = (id: string, detail = 1) =>
  document.getElementById(id)?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }))

beforeAll(() => {
  jest.useFakeTimers()
  installGestures()
  document.body.innerHTML =
    '<button id="a"><i id="icon"></i></button><button id="b"></button><label id="l"><input id="in"></label><p id="p"></p>'
  document.body.addEventListener('click', (e) => tapped.push((e.target as Element).id))
})
beforeEach(() => {
  jest.advanceTimersByTime(10_000)
  tapped.length = 0
})
afterAll(() => jest.useRealTimers())

it('suppresses a second tap on the same thing within 300 ms, wherever in it', () => {
  tap('a')
  jest.advanceTimersByTime(299)
  tap('icon')
  expect(tapped).toEqual(['a'])
  jest.advanceTimersByTime(1)
  tap('a')
  expect(tapped).toEqual(['a', 'a'])
})

it('does not slow down two different buttons, fields or the keyboard', () => {
  for (const id of ['a', 'b', 'a', 'in', 'in']) tap(id)
  tap('b')
  tap('b', 0)
  expect(tapped).toEqual(['a', 'b', 'a', 'in', 'in', 'b', 'b'])
})
