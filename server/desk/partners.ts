import { AppError } from '../core/app-error'
import {
  addPartner,
  type Partner,
  type PartnerKey,
  rotateSecret,
  settleLevel,
} from '../domains/market/partners/partners'
import { type Html, html } from '../http/html'
import { type DeskContext, type Fields, logged } from './auth'
import { csrfInput } from './page'
import { type Desk, type FormAction, idOf, type Req } from './pages'

const button = (id: string, act: string, words: string, csrf: string) =>
  html`<form class="inline" method="post" action="/desk/partners/${id}/${act}">${csrfInput(csrf)}<button class="link">${words}</button></form> `

/** A partner. Where its level has moved, new rows wait and stored ones are left out until staff decide. */
function row({ partner_id: id, name, stopped_at, moved_level: moved }: Partner, csrf: string): Html {
  return html`<li class="row"><span><b>${name}</b> <span class="tag${stopped_at !== null && ' warn'}">${stopped_at === null ? '在用' : '停用'}</span></span>
<small class="whole"><code>${id}</code></small>${moved !== null && html`<p class="note warn whole">${moved}。它的成交都待核，已存的不用于任何统计和训练。核对后${button(id, 'settle', '恢复使用', csrf)}</p>`}
<div class="whole">${button(id, 'rotate', '更换密钥', csrf)}${stopped_at === null ? button(id, 'stop', '停用', csrf) : button(id, 'resume', '启用', csrf)}</div></li>`
}

async function page({ deps: { db }, csrf }: DeskContext, _: Req, typed: Fields = {}): Promise<Html> {
  const partners = await db.selectFrom('partners').selectAll().orderBy('name').execute()
  return html`<ul class="rows">${partners.map((p) => row(p, csrf))}</ul>
<form method="post" action="/desk/partners" class="card">${csrfInput(csrf)}<h2>新增合作方</h2>
<label>名称<input name="name" value="${typed.name}" maxlength="40" autocomplete="off" required></label><button class="go">新增</button>
<p class="hint">密钥只显示一次。接口与示例见 docs/partners.md。</p></form>`
}

const shownOnce = ({ key, secret }: PartnerKey): Html => html`<p class="note good" role="status">密钥只显示这一次：</p>
<p>X-Partner-Key <code>${key}</code></p><p>密钥 <code>${secret}</code></p><p><a href="/desk/partners">返回合作方</a></p>`

const add: FormAction = async (ctx, _req, { name = '' }) => {
  let body = html``
  await logged(ctx, async (tx) => {
    const made = await addPartner(tx, ctx.deps.encryption, name, ctx.now)
    body = shownOnce(made)
    return { action: 'PARTNER_ADD', subject: made.key, note: name.trim() }
  })
  return { body }
}

const actions = {
  stop: 'PARTNER_STOP',
  resume: 'PARTNER_RESUME',
  settle: 'PARTNER_SETTLE',
  rotate: 'PARTNER_RENEW',
} as const
const isAction = (act = ''): act is keyof typeof actions => Object.hasOwn(actions, act)

const change: FormAction = async (ctx, req) => {
  const { db, encryption } = ctx.deps
  const { act } = req.params
  const partner = await db.selectFrom('partners').selectAll().where('partner_id', '=', idOf(req)).executeTakeFirst()
  if (!partner || !isAction(act)) throw new AppError('NOT_FOUND', { msg: '没有这个合作方' })
  const { partner_id: id, name } = partner
  let body: Html | undefined
  await logged(ctx, async (tx) => {
    if (act === 'rotate') body = shownOnce(await rotateSecret(tx, encryption, id))
    else if (act === 'settle') await settleLevel(tx, id)
    else {
      const stopped = tx.updateTable('partners').set({ stopped_at: act === 'stop' ? ctx.now : null })
      await stopped.where('partner_id', '=', id).execute()
    }
    return { action: actions[act], subject: id, note: name }
  })
  return body ? { body } : { to: '/desk/partners', done: 'changed' }
}

/** Partners that send sales, and their keys. */
export const registerPartners = (desk: Desk): void =>
  desk.page('/desk/partners', '合作方', page, { '': add, ':id/:act': change })
