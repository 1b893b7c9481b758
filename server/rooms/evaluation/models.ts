import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables'

/** A trained model as it is stored: `body` is the engine's, parsed once. */
export interface StoredModel<M> {
  id: number
  synthetic: boolean
  model: M
}
export interface ModelShelf {
  placeholder?: never
}
export const createModelShelf = (_db: Kysely<Tables>): ModelShelf => ({})
