import type { Page } from 'playwright-core'

/** Waits until the service worker has filled its caches and controls this page. */
export const keeping = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
