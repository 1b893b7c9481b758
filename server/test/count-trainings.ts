/** Tests only: counts trainings. */
import type { Train } from '../jobs/training'

/** `train` trains as `run` does; `games` grows with each training begun. */
export function countTrainings(run: Train): { train: Train; games: string[] } {
  const games: string[] = []
  const train: Train = (set) => {
    games.push(set.config.gameId)
    return run(set)
  }
  return { train, games }
}
