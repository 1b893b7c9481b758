/**
 * Lets the figures of the price at that selector run up to what they say, once; not where less motion is wanted. Readers,
 * and whoever copies it, get the price itself at once. @returns ends it
 */
export type CountUp = (selector: string) => () => void
