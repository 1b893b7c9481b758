import { isEmbedToken } from '@/contract/constants'
import { EMBED_PAGE, HOME_PAGE } from '@/contract/pages'
import type { Answers } from '@/contract/prefetch'
import type { Reader, SsrRenderer } from '@/contract/ssr'
import type { OpenCtx } from '../context'
import { isExcellentToken } from '../domains/reports/featured'
import { previewOf, shareOfToken } from '../domains/reports/share'
import { pageLink } from '../domains/shared/page-link'
import { answersOf, callHandler, homeData } from './data'

/** What a shared page says to those who only read its head: the previews of chats and search engines. */
export interface Preview {
  title: string
  desc: string
  image: string
  url: string
}

/** What comes with a page before its app. */
export interface SsrResult {
  /** HTML of `#first`; undefined: the app draws alone */
  screen: string | undefined
  answers: Answers
  preview?: Preview
}

/** A page that does not wait for its app. */
export interface SsrPage {
  paths: readonly string[]
  /** the build's name for what it loads (ssr.json) */
  name: 'home' | 'report'
  /** ms a page that is the same for everybody stays fresh (stale-while-revalidate); 0: rendered per request, never cached */
  keep: number
  /** undefined: as every other page of the app */
  make(renderer: SsrRenderer, ctx: OpenCtx, query: Record<string, unknown>): Promise<SsrResult | undefined>
}

const home: SsrPage = {
  paths: ['/', pageLink(HOME_PAGE)],
  name: 'home',
  keep: 5000,
  async make(renderer, ctx) {
    const { home, answers } = await homeData(ctx)
    return { screen: renderer.home(home), answers }
  },
}

/** ms to wait for a report: there is nothing else on its page */
const PATIENCE = 3000

interface Link {
  reportNo?: string
  shareToken: string
}

/** What a link to a report names; undefined unless all of it is well formed and nothing else is asked for. */
function linkOf({ reportNo, shareToken, orderId }: Record<string, unknown>): Link | undefined {
  if (orderId !== undefined || typeof shareToken !== 'string' || !/^[\w.-]{1,256}$/.test(shareToken)) return undefined
  if (reportNo === undefined) return { shareToken }
  return typeof reportNo === 'string' && /^[\w-]{1,64}$/.test(reportNo) ? { reportNo, shareToken } : undefined
}

/**
 * What the call tells whoever opens the link, and its first screen; none where the call refuses. `owner`: of a share,
 * whose browser does not show it to him.
 */
async function drawn(renderer: SsrRenderer, ctx: OpenCtx, link: Link, reader: Reader, owner?: string) {
  const asked = await callHandler(ctx, 'evaluation', 'reportGet', link, PATIENCE)
  const screen = asked.data && renderer.report({ report: asked.data, reader, now: ctx.clock.now(), owner })
  return { screen, answers: answersOf([asked]) }
}

/** A report by the link its owner has given away; what is withdrawn or unknown the app says. */
async function shared(renderer: SsrRenderer, ctx: OpenCtx, link: Link): Promise<SsrResult | undefined> {
  const share = await shareOfToken(ctx.db, link.shareToken, link.reportNo)
  if (!share || share.revoked_at !== null) return undefined
  return { ...(await drawn(renderer, ctx, link, 'FRIEND', share.user_id)), preview: previewOf(share, ctx.origin) }
}

/** A report that is shown alike to everybody: of the gallery, or inside the page of another site for some minutes. */
async function shown(renderer: SsrRenderer, ctx: OpenCtx, link: Link, reader: Reader): Promise<SsrResult | undefined> {
  const first = await drawn(renderer, ctx, link, reader)
  return first.screen === undefined ? undefined : first
}

const report: SsrPage = {
  paths: [pageLink(EMBED_PAGE)],
  name: 'report',
  keep: 0,
  async make(renderer, ctx, query) {
    const link = linkOf(query)
    if (!link) return undefined
    if (isExcellentToken(link.shareToken)) return shown(renderer, ctx, link, 'GALLERY')
    return isEmbedToken(link.shareToken) ? shown(renderer, ctx, link, 'FRAME') : shared(renderer, ctx, link)
  },
}

export const ssrPages: readonly SsrPage[] = [home, report]
