/** Cache of trained models, shared by test files: training takes seconds, and most tests need any model. */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ModelRepository } from '../domains/models/repository'
import type { Trained, TrainingSet } from '../jobs/train-and-test'
import { sendTrainingSet, type Train, type Training } from '../jobs/training'
import { programOf } from './programs'
import { cacheFolder, root } from './temp'

const TRAIN = 'server/jobs/train-child.ts'

/**
 * Changes with every line that a training executes: the compiled program is one file. Undefined where the source itself
 * is run.
 */
export function modelKeyOf(set: TrainingSet): string | undefined {
  const { program, execArgv } = programOf(TRAIN)
  if (execArgv.length > 0) return undefined
  const hash = createHash('sha256').update(readFileSync(program)).update(JSON.stringify(set))
  return hash.digest('hex').slice(0, 24)
}

/** Trains in a plain Node process, because arithmetic is several times slower in jest's sandbox. */
const apart = (set: TrainingSet) =>
  new Promise<Trained>((resolve, reject) => {
    const { program, execArgv, env } = programOf(TRAIN)
    const child = fork(program, {
      cwd: root,
      serialization: 'advanced',
      execArgv,
      env: { ...process.env, ...env },
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => reject(new Error(`training ended with ${signal ?? code}`)))
    child.once('message', (learned) => {
      resolve(learned as Trained)
      child.kill()
    })
    sendTrainingSet(child, set).catch(reject)
  })

/** The model of exactly this set, trained once per machine. */
export const trainOnce: Train = async (set) => {
  const key = modelKeyOf(set)
  if (key === undefined) return apart(set)
  const file = path.join(cacheFolder('models'), `${key}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const learned = await apart(set)
  // two workers may train at the same time, so each renames a complete file into place
  writeFileSync(`${file}-${process.pid}`, JSON.stringify(learned))
  renameSync(`${file}-${process.pid}`, file)
  return learned
}

/** A server's models, each trained once it is asked for: a server leaves that to its next round and refuses until then. */
export function trainedOnDemand(models: ModelRepository, training: Training): ModelRepository {
  const running = new Map<string, Promise<unknown>>()
  return {
    ...models,
    async active(config) {
      if (await models.inUse(config)) return models.active(config)
      const trained = running.get(config.gameId) ?? training.runDueWork(config)
      running.set(config.gameId, trained)
      await trained.finally(() => running.delete(config.gameId))
      return models.active(config)
    },
  }
}
