/** Numbers of spec §9 and §1, each with its unit. A number used by one feature only stays in that feature. */

/** spec §1: sent as the `version` header */
export const APP_VERSION = '2.0.4'
/** spec §1 */
export const VERSION_CODE = 204

/** ms, spec §9: request, socket, upload and download */
export const NETWORK_TIMEOUT = 60_000
/** ms, spec §7 and §9: a repeat of the same request inside it reuses the earlier result */
export const DEDUPE_WINDOW = 300
/** ms, spec §7 and §9: age at which the request cache is cleaned */
export const REQUEST_CACHE_PURGE = 1000
/** ms, spec §5 and §9: a second tap inside it is suppressed */
export const DOUBLE_TAP_BLOCK = 300
/** ms, spec §9: default debounce, also the draft's */
export const DEFAULT_DEBOUNCE = 500
/** ms, spec §2 and §9: the loading placeholder of a lazy page appears after it */
export const PAGE_LOADING_DELAY = 200
/** ms, spec §2 and §9: the error placeholder of a lazy page appears after it */
export const PAGE_LOADING_TIMEOUT = 60_000
/** orders, spec §9: newest ones shown on home */
export const HOME_ORDER_COUNT = 15
/** ms, spec §9 */
export const LONG_PRESS = 350
/** px, spec §9: a finger may move this far during a long press */
export const LONG_PRESS_TOLERANCE = 10
/** ms, spec §9 */
export const TOAST_DURATION = 1500
/** factor, spec §9: image preview */
export const PREVIEW_SCALE_MIN = 1
export const PREVIEW_SCALE_MAX = 4
/** divisor, spec §9: root font size = viewport width / ROOT_FONT_DIVISOR; index.html and config/ repeat these three, as neither can import them */
export const ROOT_FONT_DIVISOR = 23.4375
/** px, spec §9: width the design is drawn at */
export const BASE_WIDTH = 375
/** px, spec §9: above it the page is a centred column of BASE_WIDTH */
export const MAX_WIDTH = 960
/** digits, spec §7 and §9: the signature's random number, leading zeros kept */
export const SIGN_RANDOM_DIGITS = 6
/** ms: maximum difference between a signature's timestamp and the server's clock */
export const SIGN_CLOCK_TOLERANCE = 600_000
/** rows: maximum of one page of a list */
export const PAGE_SIZE_MAX = 50
export const PAGE_SIZE_DEFAULT = 10
/** What the device makes of a picture before it is uploaded. */
export const pictureLimits = {
  /** px */
  longSide: 1600,
  /** px: a long screenshot is not made narrower, so that its words stay legible, even if it is longer than that */
  minWidth: 720,
  /** more are drawn blank by Safari on iOS */
  maxPixels: 16_777_216,
  maxBytes: 10 * 1024 * 1024,
} as const

/** fen: prices at which an account may be listed or sold */
export const ACCOUNT_PRICE = { min: 100, max: 1_000_000_000 } as const
/** characters of one chat message */
export const CHAT_TEXT_MAX = 500

/** Request for the sample reports of home: one of each game. */
export const HOME_SAMPLES = { pageNo: 1, pageSize: 8, perGame: true } as const

/** Used instead of a share token for featured reports, which anybody may read. */
export const FEATURED_REPORT_TOKEN = 'excellent'

/** Whether it is a short-lived token for a report embedded in another site; share tokens contain no dot. */
export const isEmbedToken = (token: string): boolean => token.includes('.')
