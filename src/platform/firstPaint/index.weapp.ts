import type { FirstPaint } from './port'

/** The host draws its first screen from the package. */
export const firstPaint: FirstPaint = { take: () => undefined, shown: () => false, done: () => undefined }
