import { isEmbedToken } from '@/contract/constants'
import { EMBED_PAGE, HOME_PAGE } from '@/contract/pages'
import type { EmbeddedResponses } from '@/contract/prefetch'
import type { Reader, SsrRenderer } from '@/contract/ssr'
import type { OpenCtx } from '../core/context'
import { isExcellentToken } from '../domains/reports/publishing/featured'
import { previewOf, shareOfToken } from '../domains/reports/publishing/share'
import { pageLink } from '../domains/shared/page-link'
import { callHandler, homeData, toEmbeddedResponses } from './data'

/** Meta tags for link previews of chats and for search engines. */
export type Preview = ReturnType<typeof previewOf>

/** Server-rendered content of a page. */
export interface SsrResult {
  /** HTML of `#first`; undefined: the page is rendered by the app only */
  screen: string | undefined
  responses: EmbeddedResponses
  preview?: Preview
}

/** A page with a server-rendered first screen. */
export interface SsrPage {
  paths: readonly string[]
  /** its key in the build's list of files (ssr.json) */
  name: 'home' | 'report'
  /**
   * ms a page that is the same for everybody stays fresh (stale-while-revalidate); 0: rendered per request, never
   * cached
   */
  keep: number
  /** undefined: served without a first screen */
  make(renderer: SsrRenderer, ctx: OpenCtx, query: Record<string, unknown>): Promise<SsrResult | undefined>
}

const home: SsrPage = {
  paths: ['/', pageLink(HOME_PAGE)],
  name: 'home',
  keep: 5000,
  async make(renderer, ctx) {
    const { home, responses } = await homeData(ctx)
    return { screen: renderer.home(home), responses }
  },
}

/** ms to wait for a report before the page is served without it */
const READ_TIMEOUT_MS = 3000

interface Link {
  reportNo?: string
  shareToken: string
}

/** Parameters of a link to a report; undefined unless all of them are well-formed and there are no others. */
function linkOf({ reportNo, shareToken, orderId }: Record<string, unknown>): Link | undefined {
  if (orderId !== undefined || typeof shareToken !== 'string' || !/^[\w.-]{1,256}$/.test(shareToken)) return undefined
  if (reportNo === undefined) return { shareToken }
  return typeof reportNo === 'string' && /^[\w-]{1,64}$/.test(reportNo) ? { reportNo, shareToken } : undefined
}

/** Whose report is the same for everybody: a featured one, or one embedded with a short-lived token in another site. */
function readerOf(token: string): Reader | undefined {
  if (isExcellentToken(token)) return 'FEATURED'
  return isEmbedToken(token) ? 'FRAME' : undefined
}

/**
 * A report by its link, for an anonymous reader. The app alone shows the message for withdrawn and unknown ones, and, in
 * the browser of a shared report's owner, what only he sees.
 */
async function reportOf(renderer: SsrRenderer, ctx: OpenCtx, link: Link): Promise<SsrResult | undefined> {
  const { shareToken, reportNo } = link
  const open = readerOf(shareToken)
  const share = open ? undefined : await shareOfToken(ctx.db, shareToken, reportNo)
  if (!open && (!share || share.revoked_at !== null)) return undefined
  const asked = await callHandler(ctx, 'evaluation', 'reportGet', link, READ_TIMEOUT_MS)
  if (open && !asked.data) return undefined
  const told = { reader: open ?? 'FRIEND', now: ctx.clock.now(), owner: share?.user_id } as const
  return {
    screen: asked.data && renderer.report({ report: asked.data, ...told }),
    responses: toEmbeddedResponses([asked]),
    ...(share && { preview: previewOf(share, ctx.origin) }),
  }
}

const report: SsrPage = {
  paths: [pageLink(EMBED_PAGE)],
  name: 'report',
  keep: 0,
  async make(renderer, ctx, query) {
    const link = linkOf(query)
    return link && reportOf(renderer, ctx, link)
  },
}

export const ssrPages: readonly SsrPage[] = [home, report]
