import { AppError } from '../core/app-error'
import type { Db } from '../db/database'
import { addStaff, deskRoles, deskRoleText, resetPassword, setActive, setGames } from '../domains/staff/accounts'
import { setContact } from '../domains/staff/contact'
import { type DeskEntry, deskActionText } from '../domains/staff/log'
import { setProfile } from '../domains/staff/profile'
import { type Html, html } from '../http/html'
import { type DeskContext, type Fields, logged } from './auth'
import { formatTime } from './format'
import { fieldCheckboxes, type Game, gameCheckboxes, gamesOf } from './games'
import { csrfInput } from './page'
import { type Desk, type FormAction, idOf, type Req } from './pages'

const MAX_LOG = 200

const team = ({ deps: { db } }: DeskContext) =>
  db
    .selectFrom('staff_logins')
    .innerJoin('staff', 'staff.staff_id', 'staff_logins.staff_id')
    .select(['staff.staff_id', 'name', 'role', 'nick', 'no', 'active', 'sandbox', 'must_change', 'game_ids'])
    .select(['avatar', 'years', 'intro', 'wecom_qr', 'kf_url', 'corp_id'])
    .orderBy('role')
    .orderBy('no')

type Member = Awaited<ReturnType<ReturnType<typeof team>['execute']>>[number]

/** The games whose orders a member sees, as a collapsible form. */
function games(m: Member, all: readonly Game[], csrf: string): Html {
  const own = all.filter(({ gameId }) => m.game_ids.includes(gameId))
  return html`<details><summary>${own.length === 0 ? '全部游戏' : own.map(({ name }) => name).join('、')}</summary>
<form method="post" action="/desk/staff/${m.staff_id}/games">${csrfInput(csrf)}${fieldCheckboxes(all, m.game_ids)}
<p class="hint">都不选为全部游戏</p><button>保存</button></form></details>`
}

/** A choice among the pictures of the content folder. */
const pictureChoice = ({ deps }: DeskContext, { name, words, chosen }: Record<'name' | 'words' | 'chosen', string>) =>
  html`<label>${words}<select name="${name}"><option value="">无</option>${deps.repositories.content
    .pictures()
    .map((p) => html`<option value="${p}"${p === chosen && html` selected`}>${p}</option>`)}</select></label>`

/** An appraiser's public profile, as a collapsible form. */
const profile = (
  m: Member,
  ctx: DeskContext,
): Html => html`<details><summary>介绍${m.intro === '' && '（未填）'}</summary>
<form method="post" action="/desk/staff/${m.staff_id}/profile">${csrfInput(ctx.csrf)}
${pictureChoice(ctx, { name: 'avatar', words: '照片（用户可见，content/pictures 里的文件）', chosen: m.avatar })}
<label>从业年数<input name="years" value="${m.years}" inputmode="numeric"></label>
<label>简介（用户可见，最多 120 字）<textarea name="intro" maxlength="120">${m.intro}</textarea></label><button>保存</button></form></details>`

/** A consultant's contact details, as a collapsible form. */
function contact(m: Member, ctx: DeskContext): Html {
  const { csrf } = ctx
  return html`<details><summary>联系方式${m.wecom_qr === '' && m.kf_url === '' && '（未填）'}</summary>
<form method="post" action="/desk/staff/${m.staff_id}/contact">${csrfInput(csrf)}
${pictureChoice(ctx, { name: 'avatar', words: '头像（content/pictures 里的文件）', chosen: m.avatar })}
${pictureChoice(ctx, { name: 'wecomQr', words: '企业微信二维码（同上）', chosen: m.wecom_qr })}
<label>微信客服链接<input name="kfUrl" value="${m.kf_url}" placeholder="https://work.weixin.qq.com/kfid/…"></label>
<label>企业 ID<input name="corpId" value="${m.corp_id}" autocapitalize="none"></label><button>保存</button></form></details>`
}

function row(m: Member, all: readonly Game[], ctx: DeskContext): Html {
  const { csrf, staff } = ctx
  const button = (act: string, words: string) =>
    html`<form class="inline" method="post" action="/desk/staff/${m.staff_id}/${act}">${csrfInput(csrf)}<button class="link">${words}</button></form> `
  return html`<tr><td>${m.name}</td><td>${deskRoleText[m.role as keyof typeof deskRoleText]}</td><td>${m.nick} ${m.no}</td>
<td>${games(m, all, csrf)}${m.role === 'CONSULTANT' ? contact(m, ctx) : profile(m, ctx)}</td><td>${m.active ? '在用' : '停用'}${m.must_change && ' · 未改初始密码'}${m.sandbox && html` <span class="tag warn">沙箱</span>`}</td>
<td>${m.staff_id !== staff.staffId && html`${button('reset', '重置密码')}${m.active ? button('off', '停用') : button('on', '启用')}`}</td></tr>`
}

async function page(ctx: DeskContext, _: Req, typed: Fields = {}): Promise<Html> {
  const members = await team(ctx).execute()
  const all = await gamesOf(ctx)
  return html`<div class="scroll card"><table><tr><th>登录名</th><th>角色</th><th>称呼</th><th>负责</th><th>状态</th><th></th></tr>
${members.map((m) => row(m, all, ctx))}</table></div>
<form method="post" action="/desk/staff" class="card">${csrfInput(ctx.csrf)}<h2>新增账号</h2>
<label>登录名<input name="name" value="${typed.name}" autocomplete="off" autocapitalize="none" required></label>
<label>称呼（用户会看到）<input name="nick" value="${typed.nick}" autocomplete="off" maxlength="16"></label>
<label>从业年数<input name="years" value="${typed.years ?? '0'}" inputmode="numeric"></label>
<label>角色<select name="role">${deskRoles.map((role) => html`<option value="${role}">${deskRoleText[role]}</option>`)}</select></label>
<button class="go">新增</button></form>`
}

const oneTime = (
  password: string,
): Html => html`<p class="note good" role="status">一次性密码只显示这一次，请当面交给本人：</p>
<p class="price"><code>${password}</code></p><p><a href="/desk/staff" data-key="u">返回账号</a></p>`

const add: FormAction = async (ctx, _req, { name = '', nick, years = '0', role }) => {
  const deskRole = deskRoles.find((r) => r === role)
  if (!deskRole) throw new AppError('VALIDATION_FAILED', { msg: '请选择角色' })
  let password = ''
  await logged(ctx, async (tx) => {
    const made = await addStaff(tx, { name, role: deskRole, years: Number(years), ...(nick && { nick }) }, ctx.now)
    password = made.password
    return { action: 'STAFF_ADD', subject: name.trim(), note: deskRoleText[deskRole] }
  })
  return { body: oneTime(password) }
}

type Change = (
  tx: Db,
  ctx: DeskContext,
  member: { m: Member; fields: Fields; all: readonly Game[] },
) => Promise<Omit<DeskEntry, 'subject'>>

const changeGames: Change = async (tx, _, { m, fields, all }) => {
  const chosen = gameCheckboxes(all, fields)
  await setGames(tx, m.staff_id, chosen)
  return { action: 'STAFF_GAMES', note: chosen.length > 0 ? chosen.join('、') : '全部游戏' }
}

const changeContact: Change = async (tx, { deps }, { m, fields }) => {
  const { avatar = '', wecomQr = '', kfUrl = '', corpId = '' } = fields
  await setContact(tx, deps.repositories.content, m.staff_id, { avatar, wecomQr, kfUrl, corpId })
  return { action: 'STAFF_CONTACT' }
}

const changeProfile: Change = async (tx, { deps }, { m, fields }) => {
  const { avatar = '', years = '', intro = '' } = fields
  const profile = { avatar, years: years.trim() === '' ? Number.NaN : Number(years), intro: intro.trim() }
  await setProfile(tx, deps.repositories.content, m.staff_id, profile)
  return { action: 'STAFF_PROFILE' }
}

const changes = { games: changeGames, contact: changeContact, profile: changeProfile }
const isChange = (act: string): act is keyof typeof changes => Object.hasOwn(changes, act)

/** Members cannot close their own account or reset its password, so nobody can lock themselves out. */
const change: FormAction = async (ctx, req, fields) => {
  const m = await team(ctx).where('staff.staff_id', '=', idOf(req)).executeTakeFirst()
  const { act = '' } = req.params
  if (m && isChange(act)) {
    const all = await gamesOf(ctx)
    await logged(ctx, async (tx) => ({ ...(await changes[act](tx, ctx, { m, fields, all })), subject: m.name }))
    return { to: '/desk/staff', done: 'changed' }
  }
  if (!m || m.staff_id === ctx.staff.staffId) throw new AppError('NOT_FOUND', { msg: '没有这个账号，或者它是您自己的' })
  if (act === 'reset') {
    let password = ''
    await logged(ctx, async (tx) => {
      password = (await resetPassword(tx, m.name)).password
      return { action: 'STAFF_RESET', subject: m.name }
    })
    return { body: oneTime(password) }
  }
  if (act !== 'on' && act !== 'off') throw new AppError('NOT_FOUND')
  await logged(ctx, async (tx) => {
    const isChanged = await setActive(tx, m.staff_id, act === 'on')
    return isChanged ? { action: act === 'on' ? 'STAFF_ON' : 'STAFF_OFF', subject: m.name } : undefined
  })
  return { to: '/desk/staff', done: 'changed' }
}

const isAction = (name: string): name is keyof typeof deskActionText => Object.hasOwn(deskActionText, name)

/** The action log, newest first. */
async function log({ deps: { db } }: DeskContext): Promise<Html> {
  const rows = await db
    .selectFrom('desk_log')
    .leftJoin('staff', 'staff.staff_id', 'desk_log.staff_id')
    .leftJoin('orders', 'orders.id', 'desk_log.order_id')
    .select(['desk_log.at', 'action', 'subject', 'desk_log.note', 'desk_log.order_id', 'staff.nick', 'orders.order_no'])
    .orderBy('desk_log.at', 'desc')
    .orderBy('desk_log.id', 'desc')
    .limit(MAX_LOG)
    .execute()
  return html`<div class="scroll card"><table><tr><th>时间</th><th>谁</th><th>做了什么</th><th>对象</th><th>备注</th></tr>${rows.map(
    (
      r,
    ) => html`<tr><td>${formatTime(r.at)}</td><td>${r.nick}</td><td>${isAction(r.action) ? deskActionText[r.action] : r.action}</td>
<td>${r.order_id && html`<a href="/desk/orders/${r.order_id}">${r.order_no}</a> `}${r.subject}</td><td>${r.note}</td></tr>`,
  )}</table></div>`
}

/** Staff accounts and the log of actions on them. */
export function registerTeam(desk: Desk): void {
  desk.page('/desk/staff', '账号', page, { '': add, ':id/:act': change })
  desk.page('/desk/log', '操作记录', log)
}
