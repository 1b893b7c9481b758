import type { FastifyInstance } from 'fastify'
import { AppError } from '../core/app-error'
import { depsOf, type Lifecycle } from '../core/lifecycle'
import { changePassword, signIn, signOut } from '../domains/staff/sessions'
import { html } from '../http/html'
import { logRefusal, toAppError } from '../http/plugins/envelope'
import type { Settings } from '../settings'
import {
  checkOrigin,
  type DeskContext,
  deskContextOf,
  type Fields,
  fieldsOf,
  registerDeskSecurity,
  setCookie,
  tokenOf,
} from './auth'
import { registerChat } from './chat'
import { registerDeskContent } from './content'
import { registerCoupons } from './coupons'
import { registerFeedback } from './feedback'
import { registerHistory } from './history'
import { loginPage, passwordPage } from './login'
import { registerMessages } from './messages'
import { registerModels } from './models'
import { registerOperations } from './operations'
import { loadOrder } from './order'
import { isDeskOrderAction, runOrderAction } from './order-actions'
import { orderPage, writtenText } from './order-view'
import { show } from './page'
import { backLink, Desk, type FormAction, idOf, type Req, undocumented } from './pages'
import { registerPartners } from './partners'
import { queuePage } from './queue'
import { registerSales } from './sales'
import { registerTeam } from './team'

function registerLogin(app: FastifyInstance, lifecycle: Lifecycle): void {
  app.get('/desk/login', undocumented, (_req, reply) =>
    show(reply, { title: '登录', body: loginPage(depsOf(lifecycle).settings) }),
  )

  app.post('/desk/login', undocumented, async (req, reply) => {
    const deps = depsOf(lifecycle)
    checkOrigin(req, deps.settings)
    const { name = '', password = '' } = fieldsOf(req)
    try {
      const token = await signIn(deps, { name, password: password.slice(0, 200), ip: req.ip })
      setCookie(req, reply, deps.settings, token)
      return reply.redirect('/desk', 303)
    } catch (e) {
      if (!(e instanceof AppError) || e.http >= 500) throw e
      const error = e.code === 'ACCOUNT_LOCKED' ? '密码错误次数过多，请 15 分钟后再试' : e.detail
      return show(reply, { title: '登录', body: loginPage(deps.settings, name.slice(0, 40)), error }, 401)
    }
  })

  app.post('/desk/logout', undocumented, async (req, reply) => {
    const ctx = await deskContextOf(lifecycle, req)
    if (ctx) await signOut(ctx.deps.db, tokenOf(req))
    setCookie(req, reply, depsOf(lifecycle).settings, '')
    return reply.redirect('/desk/login', 303)
  })
}

const newPassword: FormAction = async ({ deps, staff, token }, _req, { old = '', password = '', again }) => {
  if (password !== again) throw new AppError('VALIDATION_FAILED', { msg: '两次输入的新密码不一致' })
  await changePassword(deps, staff, { old: old.slice(0, 200), password, token })
  return { to: '/desk', done: 'changed' }
}

const order = async (ctx: DeskContext, req: Req, typed?: Fields) =>
  loadOrder(ctx, idOf(req)).then(
    (loaded) => orderPage(loaded, ctx, typed),
    (e: unknown) => {
      if (typed && e instanceof AppError && e.code === 'NOT_FOUND') return html`${writtenText(typed)}${backLink}`
      throw e
    },
  )

const orderAction: FormAction = async (ctx, req, fields) => {
  const name = req.params.act ?? ''
  if (!isDeskOrderAction(name)) throw new AppError('NOT_FOUND')
  return { to: `/desk/orders/${idOf(req)}`, done: await runOrderAction(ctx, idOf(req), name, fields) }
}

interface DeskOptions {
  settings: Settings
  /** limits the requests of one address: a page without a login costs a search for the session too */
  limit(scope: FastifyInstance): void
}

/** The staff's pages at `/desk`: server-rendered HTML with plain forms and almost no script. */
export async function registerDesk(
  app: FastifyInstance,
  lifecycle: Lifecycle,
  { settings, limit }: DeskOptions,
): Promise<void> {
  limit(app)
  await registerDeskSecurity(app, settings)
  app.setErrorHandler((error, req, reply) => {
    const refusal = toAppError(error, req.id, '提交的内容无法识别，请返回后重试')
    logRefusal(req.log, error, refusal)
    const reason = refusal.code === 'INTERNAL_ERROR' ? `服务器出错了（${req.id}）` : refusal.detail
    return show(reply, { title: '操作失败', body: backLink, error: reason }, refusal.http)
  })
  registerLogin(app, lifecycle)
  const desk = new Desk(app, lifecycle)
  desk.page('/desk', '订单', queuePage)
  desk.page('/desk/password', '修改密码', ({ staff, csrf }) => passwordPage(staff, csrf), { '': newPassword })
  desk.page('/desk/orders/:id', '订单详情', order, { ':act': orderAction })
  for (const register of [registerHistory, registerChat, registerFeedback]) register(desk)
  const admin = new Desk(app, lifecycle, true)
  for (const register of [registerOperations, registerDeskContent, registerCoupons]) register(admin)
  for (const register of [registerMessages, registerPartners, registerSales, registerModels, registerTeam])
    register(admin)
  app.get('/desk/*', undocumented, (_req, reply) => show(reply, { title: '没有这个页面', body: backLink }, 404))
}
