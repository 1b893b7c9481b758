/** Calls of the group `screenshot`: a form is filled in from screenshots. */
import { Type } from 'typebox'
import { AnswersSchema, among, GameId, idOf, obj, opt, Str, UnitInterval } from './common'
import type { GroupSchemas } from './groupSchemas'

/** Where an answer was read. */
const ReadSource = obj({
  field: Str,
  /** object key of the picture */
  key: Str,
  /** left, top, width and height as fractions of the picture */
  box: Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }),
  /** how sure it is */
  score: UnitInterval,
})

/** What was read from screenshots. */
export const ReadAnswers = obj({
  /** every answer that was read, also those to be confirmed */
  answers: AnswersSchema,
  sources: Type.Array(ReadSource),
  /** fields whose answer the owner must confirm: unsure, or two pictures contradict each other */
  ask: Type.Array(Str),
  /** what the owner should know: no facts of this game, another game, a picture that cannot be read */
  note: opt(Str),
})

export const ScreenshotTask = obj({
  status: among(['WAITING', 'READING', 'DONE', 'FAILED']),
  ...ReadAnswers.properties,
})

export const screenshot = {
  create: {
    req: obj({
      gameId: GameId,
      keys: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { title: '截图', minItems: 1, maxItems: 9 }),
    }),
    res: obj({ taskId: Str }),
  },
  /** While pictures are being read it has the answers of those that were. */
  get: { req: obj({ taskId: idOf('识别任务') }), res: ScreenshotTask },
} satisfies GroupSchemas<'screenshot'>
