import type { PageLoadingScreen } from './port'

/** WeChat loads sub-packages itself and shows its own progress. */
export const pageLoadingScreen: PageLoadingScreen = {
  loading: () => undefined,
  error: () => undefined,
  hide: () => undefined,
}
