/** @jest-environment jsdom */
import { countUp } from '@/platform/countUp'

const frames: FrameRequestCallback[] = []
let still = false
beforeEach(() => {
  frames.length = 0
  still = false
  window.matchMedia = (() => ({ matches: still })) as unknown as typeof matchMedia
  window.requestAnimationFrame = (step) => frames.push(step)
  document.body.innerHTML = '<div id="page"><div class="price"><span>¥</span><span>2,580</span></div></div>'
})
const price = () => document.querySelector<HTMLElement>('.price') as HTMLElement
const frame = (at: number) => {
  for (const step of frames.splice(0)) step(at)
}

it('draws the counting figures over the price and removes them afterwards', () => {
  countUp('.price')
  frame(1000)
  frame(1250)
  expect(price().className).toBe('price counts-up')
  const shown = Number(price().dataset.count?.replace(',', ''))
  expect(shown).toBeGreaterThan(1290)
  expect(shown).toBeLessThan(2580)
  expect(price().textContent).toBe('¥2,580')
  frame(1500)
  expect(price().className).toBe('price')
  expect(frames).toEqual([])
})

describe('nothing moves', () => {
  afterEach(() => {
    countUp('.price')
    expect(frames).toEqual([])
  })

  it('where the system wants less motion', () => {
    still = true
  })
  it('where the reader does', () => {
    document.getElementById('page')?.classList.add('ui-reduced-motion')
  })
  it('where there is no price', () => {
    price().textContent = '—'
  })
})

it('ends with the page', () => {
  const end = countUp('.price')
  frame(1000)
  end()
  expect(price().className).toBe('price')
})
