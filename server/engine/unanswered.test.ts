import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FormConfig } from '@/contract/form/types'
import { pricedProgress } from '@/contract/form/validate'
import { generateSales } from '../fixtures/synthetic/generate'
import { unansweredOf } from './train'

const folder = path.join(__dirname, '../fixtures/games')

test.each(readdirSync(folder))('%s: form and report count the same fields as unanswered', (file) => {
  const config: FormConfig = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
  const sales = [...generateSales(config, { n: 40, until: Date.UTC(2026, 0, 1) })]
  for (const { attributes } of sales)
    expect(unansweredOf(config, attributes)).toMatchObject(pricedProgress(config, attributes))
  expect(sales.some(({ attributes }) => pricedProgress(config, attributes).unanswered > 0)).toBe(true)
})
