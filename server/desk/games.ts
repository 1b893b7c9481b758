import { type Html, html } from '../http/html'
import type { Fields, Visit } from './auth'

export interface Game {
  gameId: string
  name: string
}

/** A tick a game, each with a name of its own: a form keeps the last of a name. */
export const ticks = (games: readonly Game[], chosen: readonly string[]): Html =>
  html`${games.map(
    ({ gameId, name }) =>
      html`<label class="check"><input type="checkbox" name="game-${gameId}"${chosen.includes(gameId) && html` checked`}>${name}</label>`,
  )}`

/** The games that were ticked. */
export const ticked = (games: readonly Game[], fields: Fields) =>
  games.filter(({ gameId }) => fields[`game-${gameId}`] !== undefined).map(({ gameId }) => gameId)

/** All games the server knows. */
export const gamesOf = async ({ deps }: Visit): Promise<Game[]> =>
  (await deps.games.all()).map(({ config: { gameId, name } }) => ({ gameId, name }))
