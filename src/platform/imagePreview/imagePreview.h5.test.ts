import { listenForBack } from '@/platform/backHandler/history'
import { imagePreview } from '.'

const $ = (selector: string) => document.querySelector<HTMLElement>(selector)
const image = () => $('.pf-preview__img') as HTMLImageElement
const scale = () => Number(/scale\(([\d.]+)\)/.exec(image().style.transform)?.[1])

let now = 0
function finger(type: string, pointerId: number, clientX: number, clientY = 400) {
  const e = Object.assign(new MouseEvent(type, { bubbles: true, clientX, clientY }), { pointerId })
  Object.defineProperty(e, 'timeStamp', { value: now })
  $('.pf-preview__stage')?.dispatchEvent(e)
}
function tap(at: number) {
  now = at
  finger('pointerdown', 1, 100)
  finger('pointerup', 1, 100)
}
const key = (name: string) =>
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }))

/** The browser's steps back come in turns of their own. */
async function still() {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => void setTimeout(resolve))
}
beforeAll(listenForBack)
beforeEach(() => {
  document.body.innerHTML = '<button id="before">x</button>'
  $('#before')?.focus()
  imagePreview.open(['a.png', 'b.png', 'c.png'], 'b.png')
  // jsdom lays nothing out: a picture as wide as the screen
  for (const [el, width, height] of [
    [$('.pf-preview__stage'), 375, 812],
    [image(), 375, 400],
  ] as const) {
    Object.defineProperties(el, {
      clientWidth: { value: width },
      clientHeight: { value: height },
      offsetWidth: { value: width },
      offsetHeight: { value: height },
    })
  }
})
afterEach(() => key('Escape'))

it('begins with the picture asked for, turns by arrow key and by swipe, and stops at both ends', () => {
  expect(image().getAttribute('src')).toBe('b.png')
  key('ArrowRight')
  key('ArrowRight')
  expect([image().getAttribute('src'), $('.pf-preview__place')?.textContent]).toEqual(['c.png', '3 / 3'])
  finger('pointerdown', 1, 100)
  finger('pointermove', 1, 220)
  finger('pointerup', 1, 220)
  expect(image().getAttribute('src')).toBe('b.png')
})

it('zooms with two fingers between 1 and 4 times, and back when turned', () => {
  finger('pointerdown', 1, 150)
  finger('pointerdown', 2, 200)
  finger('pointermove', 2, 250)
  expect(scale()).toBe(2)
  finger('pointermove', 2, 900)
  expect(scale()).toBe(4)
  finger('pointermove', 2, 151)
  expect(scale()).toBe(1)
  finger('pointerup', 1, 150)
  finger('pointerup', 2, 151)
  expect(image().getAttribute('src')).toBe('b.png')
  finger('pointerdown', 1, 150)
  finger('pointerdown', 2, 200)
  finger('pointermove', 2, 250)
  key('ArrowRight')
  expect(scale()).toBe(1)
})

it('a double tap goes close and back; two slow taps do nothing', () => {
  tap(1_000)
  tap(1_200)
  expect(scale()).toBe(2.5)
  tap(2_000)
  tap(2_200)
  expect(scale()).toBe(1)
  tap(3_000)
  tap(3_300)
  expect(scale()).toBe(1)
})

it('takes the focus, keeps it, closes on Escape, on its button and on the way back, and gives the focus back', async () => {
  for (const end of [() => key('Escape'), () => $('.pf-preview__close')?.click(), () => history.back()]) {
    imagePreview.open(['a.png'])
    await still()
    expect(document.querySelectorAll('.pf-preview')).toHaveLength(1)
    expect(document.activeElement?.getAttribute('aria-label')).toBe('关闭')
    key('Tab')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('关闭')
    end()
    await still()
    expect($('.pf-preview')).toBeNull()
    expect(document.activeElement?.id).toBe('before')
  }
})

it('says that a picture cannot be loaded, and opens nothing for no picture', () => {
  image().dispatchEvent(new Event('error'))
  expect($('.pf-preview__place')?.textContent).toBe('图片加载失败')
  imagePreview.open([])
  expect($('.pf-preview')).toBeNull()
})
