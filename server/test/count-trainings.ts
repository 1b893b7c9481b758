/** Tests only: records the requested trainings in order. */
import type { TrainingSet } from '../jobs/train-and-test'
import type { Train } from '../jobs/training'

/** `train` trains as `run` does; `wants` grows with each training begun. */
export function countTrainings(run: Train): { train: Train; wants: TrainingSet['want'][] } {
  const wants: TrainingSet['want'][] = []
  const train: Train = (set) => {
    wants.push(set.want)
    return run(set)
  }
  return { train, wants }
}
