/** Plausible answers to the form of a game, generated once for all test files. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Answers, FormConfig } from '@/contract/form/types'
import { validateAnswers } from '@/contract/form/validate'
import { generateSales } from '../fixtures/synthetic/generate'
import { cacheFolder } from './temp'

/** Answers kept for each form; more are generated for the test that wants them. */
const KEPT = 60

function* validAnswers(config: FormConfig): Generator<Answers> {
  for (const { attributes } of generateSales(config, { until: Date.now(), n: 500, seed: 99 }))
    if (validateAnswers(config, attributes, 'AI').every((i) => i.level !== 'error')) yield attributes
}

function generate(config: FormConfig, n: number): Answers[] {
  const found: Answers[] = []
  for (const answers of validAnswers(config)) {
    if (found.length === n) break
    found.push(answers)
  }
  return found
}

/** Kept for the state of the code: the set-up of the generator costs 500 accounts. */
function keptAnswers(config: FormConfig, form: string): Answers[] {
  const { SERVER_BUNDLE } = process.env
  if (!SERVER_BUNDLE) return generate(config, KEPT)
  const key = createHash('sha256').update(path.basename(SERVER_BUNDLE)).update(form).digest('hex').slice(0, 24)
  const file = path.join(cacheFolder('answers'), `${key}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const found = generate(config, KEPT)
  // two workers may do so at the same time, so each renames a complete file into place
  writeFileSync(`${file}-${process.pid}`, JSON.stringify(found))
  renameSync(`${file}-${process.pid}`, file)
  return found
}

const known = new Map<string, Answers[]>()

/** Plausible answers of a generated sale, complete enough for an AI valuation. */
export function someAnswers(config: FormConfig, skip = 0): Answers {
  const form = JSON.stringify(config)
  let found = known.get(form) ?? keptAnswers(config, form)
  if (found.length <= skip) found = generate(config, skip + KEPT)
  known.set(form, found)
  if (!found[skip]) throw new Error(`the generator made no valid answers for ${config.gameId}`)
  return JSON.parse(JSON.stringify(found[skip]))
}
