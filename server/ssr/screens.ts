import { isEmbedToken } from '@/contract/constants'
import type { FirstView, Reader } from '@/contract/first'
import { EMBED_PAGE, HOME_PAGE } from '@/contract/pages'
import type { Answers } from '@/contract/prefetch'
import type { OpenCtx } from '../context'
import { isExcellentToken } from '../domains/reports/featured'
import { previewOf, shareOfToken } from '../domains/reports/share'
import { pageLink } from '../domains/shared/page-link'
import { answersOf, ask, homeData } from './data'

/** Preview of a shared page for chats and search engines, which only read its head. */
export interface Preview {
  title: string
  desc: string
  image: string
  url: string
}

/** Content sent with a page before its app. */
export interface First {
  /** HTML of `#first`; undefined: nothing is rendered before the app */
  screen: string | undefined
  answers: Answers
  preview?: Preview
}

/** A page with a server-rendered first screen. */
export interface FirstPage {
  paths: readonly string[]
  /** the page's name in the build's file list (first.json) */
  name: 'home' | 'report'
  /** ms a page is cached for everybody; 0: rendered per request and not cacheable */
  keep: number
  /** undefined: serve the app alone */
  make(view: FirstView, ctx: OpenCtx, query: Record<string, unknown>): Promise<First | undefined>
}

const home: FirstPage = {
  paths: ['/', pageLink(HOME_PAGE)],
  name: 'home',
  keep: 5000,
  async make(view, ctx) {
    const { home, answers } = await homeData(ctx)
    return { screen: view.home(home), answers }
  },
}

/** ms to wait for a report, the only content of its page */
const PATIENCE = 3000

interface Link {
  reportNo?: string
  shareToken: string
}

/** Parameters of a link to a report; undefined unless all are well-formed and there are no others. */
function linkOf({ reportNo, shareToken, orderId }: Record<string, unknown>): Link | undefined {
  if (orderId !== undefined || typeof shareToken !== 'string' || !/^[\w.-]{1,256}$/.test(shareToken)) return undefined
  if (reportNo === undefined) return { shareToken }
  return typeof reportNo === 'string' && /^[\w-]{1,64}$/.test(reportNo) ? { reportNo, shareToken } : undefined
}

/**
 * The call's answer for a visitor, and its first screen; neither when the call refuses. `owner`: of a share, whose own
 * browser hides the visitor's view.
 */
async function drawn(view: FirstView, ctx: OpenCtx, link: Link, reader: Reader, owner?: string) {
  const asked = await ask(ctx, 'evaluation', 'reportGet', link, PATIENCE)
  const screen = asked.data && view.report({ report: asked.data, reader, now: ctx.clock.now(), owner })
  return { screen, answers: answersOf([asked]) }
}

/** A report by its share link; for a withdrawn or unknown one the app shows the error. */
async function shared(view: FirstView, ctx: OpenCtx, link: Link): Promise<First | undefined> {
  const share = await shareOfToken(ctx.db, link.shareToken, link.reportNo)
  if (!share || share.revoked_at !== null) return undefined
  return { ...(await drawn(view, ctx, link, 'FRIEND', share.user_id)), preview: previewOf(share, ctx.origin) }
}

/** A report that looks the same to everybody: from the gallery, or temporarily embedded in another site. */
async function shown(view: FirstView, ctx: OpenCtx, link: Link, reader: Reader): Promise<First | undefined> {
  const first = await drawn(view, ctx, link, reader)
  return first.screen === undefined ? undefined : first
}

const report: FirstPage = {
  paths: [pageLink(EMBED_PAGE)],
  name: 'report',
  keep: 0,
  async make(view, ctx, query) {
    const link = linkOf(query)
    if (!link) return undefined
    if (isExcellentToken(link.shareToken)) return shown(view, ctx, link, 'GALLERY')
    return isEmbedToken(link.shareToken) ? shown(view, ctx, link, 'FRAME') : shared(view, ctx, link)
  },
}

export const firstPages: readonly FirstPage[] = [home, report]
