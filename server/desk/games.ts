import { type Html, html } from '../http/html'
import type { DeskContext, Fields } from './auth'

export interface Game {
  gameId: string
  name: string
}

/** One checkbox per game, each with its own name, because the form parser keeps the last value of a name. */
export const fieldCheckboxes = (games: readonly Game[], chosen: readonly string[]): Html =>
  html`${games.map(
    ({ gameId, name }) =>
      html`<label class="check"><input type="checkbox" name="game-${gameId}"${chosen.includes(gameId) && html` checked`}>${name}</label>`,
  )}`

/** Ids of the checked games. */
export const gameCheckboxes = (games: readonly Game[], fields: Fields) =>
  games.filter(({ gameId }) => fields[`game-${gameId}`] !== undefined).map(({ gameId }) => gameId)

export const gamesOf = async ({ deps }: DeskContext): Promise<Game[]> =>
  (await deps.repositories.games.all()).map(({ config: { gameId, name } }) => ({ gameId, name }))
