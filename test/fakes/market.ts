import { setTimeout as wait } from 'node:timers/promises'
import { post, read } from './calls'
import type { RunningServer } from './server'

const BETWEEN_MS = 200

/** Waits until a job has computed the market of each game, which home and reports show. */
export async function marketComputed(server: RunningServer) {
  const games = await post<{ gameId: string }[]>(server, '/app-api/api/evaluate/user/game/hot/game', {})
  for (const { gameId } of games)
    while (!(await read<{ madeAt?: number }>(server, '/app-api/market/game', { gameId })).madeAt) await wait(BETWEEN_MS)
}
