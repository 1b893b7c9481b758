import type { PageMeta, Share } from '@/platform/meta/port'
import { decide, loginRoutes, matchUrl } from './guard'
import { defaultMeta, homeMeta } from './meta'
import { buildUrl } from './params'
import type { RouteName } from './routes'

/** Address without its origin; an address of another site matches no route. */
const inApp = (url: string) => matchUrl(url.replace(/^https?:\/\/[^/?#]+/, ''))?.url

/** The page itself where everybody may open it; a login page is nobody's goal. */
function publicUrl(url: string) {
  const decision = decide(url, { loggedIn: false })
  return decision.kind === 'open' && !loginRoutes.includes(decision.name) ? decision.url : undefined
}

/**
 * A share of the page (spec §1): what the screen has set with `usePageMeta`, else the page, else the product. A page
 * behind the login is never given away by its own address, only by the one its share data names.
 */
export function shareOf(name: RouteName, url: string, own: PageMeta | undefined): Share {
  const path = own?.url ? inApp(own.url) : publicUrl(url)
  if (!path) return { title: homeMeta.title, path: buildUrl('home') }
  const { title, shareTitle = title, image } = own ?? defaultMeta(name)
  return { title: shareTitle, path, ...(image && { imageUrl: image }) }
}
