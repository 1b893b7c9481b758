/** What a human valuation promises. Form, checkout and desk show these figures, and the server keeps them. */
import type { ManualLevel } from './labels'

/** Independent appraisers of each service, as it is said beside the price. */
export const serviceText: Record<ManualLevel, string> = { STD: '1 位估价师', PRO: '2 位各自估，取均价' }

/** Length of the appraiser's comment, in characters. */
export const APPRAISAL_COMMENT = { min: 60, max: 500 } as const
/** The high end of an appraiser's range is at most this many times its low end. */
export const APPRAISAL_RANGE_MAX = 3

/** Sales needed before the gap between an appraiser's prices and later sales is published. */
export const MIN_APPRAISER_SALES = 3

/** Hour of China time at which appraisers and consultants begin; they work until midnight. */
export const SERVICE_OPENS_HOUR = 9
export const SERVICE_HOURS = `${String(SERVICE_OPENS_HOUR).padStart(2, '0')}:00–24:00`
/** Hours of working time until a report is delivered. */
export const DELIVERY_HOURS = 2
/** Days after a delivery in which its appraiser answers questions. */
export const QUESTION_DAYS = 7
