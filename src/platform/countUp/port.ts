/**
 * Animates the price at that selector from 0 to its value, once, unless reduced motion is set. Screen readers and the
 * clipboard get the final price at once. @returns ends the animation
 */
export type CountUp = (selector: string) => () => void
