import { meta } from '@/platform/meta'
import type { PageMeta, Share } from '@/platform/meta/port'
import { appState, isInIosApp } from '@/session/store'
import { decide, loginRoutes, matchUrl } from './guard'
import { defaultMeta, homeMeta } from './meta'
import { buildUrl } from './params'
import type { RouteName } from './routes'

/** Canonical URL without the origin; URLs of other sites match no route. */
const inApp = (url: string) => matchUrl(url.replace(/^https?:\/\/[^/?#]+/, ''))?.url

/** URL of the page if it is public; login pages are never shared. */
function publicUrl(url: string) {
  const decision = decide(url, { loggedIn: false })
  return decision.kind === 'open' && !loginRoutes.includes(decision.name) ? decision.url : undefined
}

/** The server's picture for this platform, without a price: without one the host would share a screenshot. */
const shareImage = () =>
  meta.address((isInIosApp() ? appState().iosDefaultImage : appState().shareDefaultImage) ?? '/share.png')

/** The component gallery is for developers and never shared. */
export const isShareable = (name: RouteName) => !(PRODUCTION && name === 'test')

/**
 * Share data of the page (spec §1): set by the screen with `usePageMeta`, otherwise of the page, otherwise of the product.
 * A page that needs a login is shared only under the URL that its share data names, never under its own.
 */
export function shareOf(name: RouteName, url: string, own: PageMeta | undefined): Share {
  const path = own?.url ? inApp(own.url) : publicUrl(url)
  if (!path) return { title: homeMeta.title, path: buildUrl('home'), imageUrl: shareImage() }
  const { title, shareTitle = title, image } = own ?? defaultMeta(name)
  return { title: shareTitle, path, imageUrl: image ?? shareImage() }
}
