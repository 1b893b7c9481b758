import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../core/app-error'
import type { Lifecycle } from '../core/lifecycle'
import { isModelPending } from '../domains/models/repository'
import { type Html, html } from '../http/html'
import { type DeskContext, deskContextOf, type Fields, fieldsOf } from './auth'
import { type Done, type PageOptions, show } from './page'

export type Req = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>

export const undocumented = { schema: { hide: true }, exposeHeadRoute: true }

/** Registers pages and forms for signed-in staff; other requests are redirected to the login. */
export class Desk {
  constructor(
    readonly app: FastifyInstance,
    readonly lifecycle: Lifecycle,
    /** the pages exist only for admins: to others they answer 404 */
    readonly isAdminOnly = false,
  ) {}

  private async enter(req: Req, reply: FastifyReply): Promise<DeskContext | undefined> {
    const ctx = await deskContextOf(this.lifecycle, req)
    if (ctx && (!ctx.staff.mustChange || /^\/desk\/(password|logout)/.test(req.url))) {
      if (this.isAdminOnly && ctx.staff.role !== 'ADMIN') throw new AppError('NOT_FOUND', { msg: '没有这个页面' })
      return ctx
    }
    reply.redirect(ctx ? '/desk/password' : '/desk/login', 303)
    return undefined
  }

  /** Registers a page at GET, and its forms at POST by what follows the page's path. */
  page(path: string, title: string, body: Render, forms: Readonly<Record<string, FormAction>> = {}): void {
    for (const [rest, act] of Object.entries(forms)) this.form(rest === '' ? path : `${path}/${rest}`, title, act, body)
    this.app.get(path, undocumented, async (req: Req, reply) => {
      const ctx = await this.enter(req, reply)
      if (!ctx) return reply
      return show(reply, { title, body: await body(ctx, req), ...shownOf(ctx, req), done: req.query.done })
    })
  }

  /** Registers a form at POST: redirects with a confirmation, or shows `again` with the typed values and the error. */
  private form(path: string, title: string, act: FormAction, again: Render) {
    this.app.post(path, undocumented, async (req: Req, reply) => {
      const ctx = await this.enter(req, reply)
      if (!ctx) return reply
      try {
        const made = await act(ctx, req, fieldsOf(req))
        if ('body' in made) return show(reply, { title, ...made, ...shownOf(ctx, req) })
        return reply.redirect(`${made.to}?done=${made.done}`, 303)
      } catch (e) {
        if (!(e instanceof AppError) || (e.http >= 500 && !isModelPending(e))) throw e
        // when the row no longer exists there is no form to show again
        const body = await Promise.resolve(again(ctx, req, fieldsOf(req))).catch(backIfGone)
        return show(reply, { title, body, ...shownOf(ctx, req), error: e.detail }, e.http < 400 ? 409 : e.http)
      }
    })
  }
}

/** The content of a page. @param typed values of a rejected form */
type Render = (ctx: DeskContext, req: Req, typed?: Fields) => Html | Promise<Html>

/** Returns the redirect after a form, or a page to answer with directly (a secret that must not be requested twice). */
export type FormAction = (
  ctx: DeskContext,
  req: Req,
  fields: Fields,
) => Promise<{ to: string; done: Done } | { body: Html }>

function backIfGone(e: unknown): Html {
  if (e instanceof AppError) return backLink
  throw e
}

const shownOf = ({ staff, csrf }: DeskContext, req: Req): Pick<PageOptions, 'staff' | 'csrf' | 'path'> => ({
  ...{ staff, csrf },
  path: req.url.split('?')[0] ?? '',
})
export const backLink = html`<p><a href="/desk" data-key="u">返回队列</a></p>`

/** Id from the path; NUL is removed because no stored id contains it. */
export const idOf = (req: Req): string => (req.params.id ?? '').replaceAll('\0', '')

/** Format of `newId`: each rendered form carries a fresh id. */
const FORM_ID = /^\w{20}$/

/** The idempotency id of a form. @throws AppError ILLEGAL_REQUEST */
export function formIdOf({ id = '' }: Fields): string {
  if (!FORM_ID.test(id)) throw new AppError('ILLEGAL_REQUEST', { msg: '页面已过期，请返回后重试' })
  return id
}
