import type { PageOverlay } from './port'

/** WeChat loads sub-packages itself and shows its own progress. */
export const pageOverlay: PageOverlay = {
  loading: () => undefined,
  error: () => undefined,
  hide: () => undefined,
}
