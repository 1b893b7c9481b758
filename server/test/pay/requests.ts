import type { Answers, FormConfig } from '@/contract/form/types'
import type { Req } from '@/contract/types'
import { someAnswers } from '../harness'

/** A valid ID number of an adult, different for each `n` up to 999. */
export function adultId(n: number): string {
  const body = `11010519900101${String(n).padStart(3, '0')}`
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  const sum = weights.reduce((all, w, i) => all + w * Number(body[i]), 0)
  return body + '10X98765432'[sum % 11]
}

let requests = 0
let answers: Answers | undefined
/** A manual order with answers not used before. @param config the game's form for AI valuations */
export function manualOrderRequest(config: FormConfig): Req<'evaluation', 'submitManual'> {
  requests += 1
  answers ??= someAnswers(config)
  return {
    gameId: config.gameId,
    schemaVersion: config.schemaVersion,
    answers,
    level: 'STD',
    remark: `第 ${requests} 单`,
  }
}
