import type { OnPageHide } from './port'

/** Not needed: the host always hides the page first. */
export const onPageHide: OnPageHide = () => () => undefined
