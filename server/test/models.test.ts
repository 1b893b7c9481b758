import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { TrainingSet } from '../jobs/train-and-test'
import { game, SALES_UNTIL } from './arbitrary'
import { modelKeyOf } from './models'
import { tempFolder } from './temp'

const { SERVER_BUNDLE } = process.env
const folder = tempFolder('valuation-test-models-')
afterAll(() => {
  process.env.SERVER_BUNDLE = SERVER_BUNDLE
  rmSync(folder, { recursive: true })
})

test('a cached model is of exactly the program that would train it, with whatever it imports', () => {
  const set: TrainingSet = { config: game('val'), sales: [], now: SALES_UNTIL }
  process.env.SERVER_BUNDLE = folder
  expect(modelKeyOf(set)).toBeUndefined()
  const keyWith = (code: string) => {
    writeFileSync(path.join(folder, 'train-child.js'), code)
    return modelKeyOf(set)
  }
  const key = keyWith('var MIN_TO_TEST = 10')
  expect(key).toMatch(/^[0-9a-f]{24}$/)
  expect(keyWith('var MIN_TO_TEST = 11')).not.toBe(key)
  expect(keyWith('var MIN_TO_TEST = 10')).toBe(key)
})
