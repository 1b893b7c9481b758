import { AppError } from '../../core/app-error'
import { DependencyUnavailable, isDependencyFailure } from '../../core/dependency-error'
import { createBreaker } from './breaker'

const broken = async (): Promise<string> => {
  throw new Error('refused')
}
const fine = async () => 'answer'

function breakerAt(most = 10) {
  const clock = { now: 0 }
  return { clock, breaker: createBreaker({ name: 'S3', failures: 3, openFor: 1000, most, now: () => clock.now }) }
}

test('consecutive failures open it; after a while one probe is sent, and its success closes it', async () => {
  const { clock, breaker } = breakerAt()
  let asked = 0
  const count = (question: () => Promise<string>) => () => {
    asked += 1
    return question()
  }
  for (let i = 0; i < 5; i += 1) await expect(breaker.run(count(broken))).rejects.toThrow(DependencyUnavailable)
  expect(asked).toBe(3)
  clock.now = 1000
  const trial = breaker.run(count(fine))
  await expect(breaker.run(count(fine))).rejects.toThrow('S3: not asked')
  expect(await trial).toBe('answer')
  expect(await breaker.run(count(fine))).toBe('answer')
  expect(asked).toBe(5)
})

test('a trial that fails opens it again; a success in between starts the count again', async () => {
  const { clock, breaker } = breakerAt()
  for (const question of [broken, broken, fine, broken, broken, fine])
    await breaker.run(question).catch(() => undefined)
  expect(await breaker.run(fine)).toBe('answer')
  for (let i = 0; i < 3; i += 1) await breaker.run(broken).catch(() => undefined)
  clock.now = 1000
  await expect(breaker.run(broken)).rejects.toThrow('S3: no answer')
  clock.now = 1999
  await expect(breaker.run(fine)).rejects.toThrow('S3: not asked')
})

test('a refusal is an answer: a picture that is none does not count against the storage', async () => {
  const { breaker } = breakerAt()
  const refuse = async (): Promise<string> => {
    throw new AppError('UPLOAD_TYPE')
  }
  for (let i = 0; i < 5; i += 1) await expect(breaker.run(refuse)).rejects.toThrow(AppError)
  expect(await breaker.run(fine)).toBe('answer')
})

test('a slow service does not collect questions, and every refusal is an outage', async () => {
  const { breaker } = breakerAt(2)
  const slow = [breaker.run(() => new Promise(() => undefined)), breaker.run(() => new Promise(() => undefined))]
  const refused = await breaker.run(fine).catch((e) => e)
  expect(refused).toBeInstanceOf(DependencyUnavailable)
  expect(isDependencyFailure(refused)).toBe(true)
  expect(slow).toHaveLength(2)
})
