/** Ratings up to this number of stars start the free revaluation of a manual report, if it has not been used. */
export const MAX_COMPENSATED_SCORE = 2
