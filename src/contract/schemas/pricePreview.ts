/** Calls of the group `pricePreview`: the price range while a form is being filled. */
import { Type } from 'typebox'
import { AnswersSchema, Fen, GameId, Int, obj } from './common'
import type { GroupSchemas } from './groupSchemas'

export const pricePreview = {
  /**
   * Stores nothing. Errors: those of `submitAi`, except for answers that are still missing; 30 calls a minute and user, 20 a
   * minute and address without a login.
   */
  preview: {
    req: obj({
      gameId: GameId,
      schemaVersion: Type.Integer({ title: '表单版本', minimum: 1 }),
      /** any part of the answers */
      answers: AnswersSchema,
    }),
    res: obj({
      /** ends of the 80 % interval, rounded to two significant figures */
      lowFen: Fen,
      highFen: Fen,
      /** fields that affect the price: those answered, and all of them */
      answered: Int,
      asked: Int,
    }),
  },
} as const satisfies GroupSchemas<'pricePreview'>
