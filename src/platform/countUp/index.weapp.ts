import type { CountUp } from './port'

/** Every step would be a transfer of data to the view layer. */
export const countUp: CountUp = () => () => undefined
