import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FormConfig } from '@/contract/form/types'
import type { ReadAnswers } from '@/contract/types'
import { countShown, isShown } from './shown-answers'

const file = path.join(__dirname, '../../fixtures/games/hok.json')
const config = JSON.parse(readFileSync(file, 'utf8')) as FormConfig
const reading = (answers: ReadAnswers['answers']): ReadAnswers => ({ answers, sources: [], ask: [] })

test('an answer is shown where it equals what was read; a list where all of its items were', () => {
  expect(isShown(config, 'skinCount', 318, 318)).toBe(true)
  expect(isShown(config, 'skinCount', 318, 313)).toBe(false)
  expect(isShown(config, 'skinCount', 318, undefined)).toBe(false)
  expect(isShown(config, 'rank', ['star', 'star-2'], ['star', 'star-3'])).toBe(false)
  expect(isShown(config, 'rareSkins', ['a'], ['a', 'b'])).toBe(true)
  expect(isShown(config, 'rareSkins', ['a', 'c'], ['a', 'b'])).toBe(false)
  expect(isShown(config, 'chars', [{ v: 'a', dup: 2, sig: true }], [{ v: 'a', dup: 2 }])).toBe(true)
  expect(isShown(config, 'chars', [{ v: 'a', dup: 3 }], [{ v: 'a', dup: 2 }])).toBe(false)
})

test('screenshots of another account show nothing of this one', () => {
  const answers = { skinCount: 318, heroCount: 108, gloryCount: 4 }
  expect(countShown(config, answers, [])).toBe(0)
  expect(countShown(config, answers, [reading({ skinCount: 318, heroCount: 108, gloryCount: 3 })])).toBe(2)
  expect(countShown(config, answers, [reading({ skinCount: 120, heroCount: 108 })])).toBe(0)
  expect(countShown(config, answers, [reading({ skinCount: 12 }), reading(answers)])).toBe(3)
})
