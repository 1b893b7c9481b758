/** Trained models, kept for the next test file: training takes seconds, and most tests only need some model. */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { handOver } from '../jobs/hand-over'
import type { Learned, TrainingSet } from '../jobs/learn'
import type { Train } from '../jobs/training'

const root = path.join(__dirname, '../..')
const engine = path.join(root, 'server/engine')

/** changes with every line of the engine */
const engineState = readdirSync(engine)
  .filter((name) => !name.endsWith('.test.ts'))
  .sort()
  .reduce((hash, name) => hash.update(readFileSync(path.join(engine, name))), createHash('sha256'))
  .digest('hex')

const keyOf = (set: TrainingSet) =>
  createHash('sha256').update(engineState).update(JSON.stringify(set)).digest('hex').slice(0, 24)

/** In a plain Node: the sandbox that jest runs code in makes the same numbers several times slower. */
const apart = (set: TrainingSet) =>
  new Promise<Learned>((resolve, reject) => {
    const child = fork(path.join(root, 'server/jobs/train-child.ts'), {
      cwd: root,
      serialization: 'advanced',
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, TSX_TSCONFIG_PATH: path.join(root, 'server/tsconfig.json') },
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => reject(new Error(`training ended with ${signal ?? code}`)))
    child.once('message', (learned) => {
      resolve(learned as Learned)
      child.kill()
    })
    handOver(child, set).catch(reject)
  })

/** What the engine learns from exactly this set, computed once per machine. */
export const trainOnce: Train = async (set) => {
  const file = path.join(tmpdir(), `valuation-model-${keyOf(set)}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const learned = await apart(set)
  // two workers may have come here at once: each puts a whole file into its place
  writeFileSync(`${file}-${process.pid}`, JSON.stringify(learned))
  renameSync(`${file}-${process.pid}`, file)
  return learned
}
