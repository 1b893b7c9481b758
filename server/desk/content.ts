import { AppError } from '../core/app-error'
import { addBanner, type BannerRow, bannerOf, changeBanner } from '../domains/content/banners'
import { type Html, html } from '../http/html'
import { type DeskContext, type Fields, logged } from './auth'
import { csrfInput } from './page'
import { type Desk, type FormAction, idOf, type Req } from './pages'

const MAX_ROWS = 100

/** Columns of a banner as the form shows them. */
const typedOf = (b: BannerRow): Fields => ({
  title: b.title,
  picture: b.picture,
  link: b.link,
  sort: String(b.sort),
})

function form({ csrf, deps }: DeskContext, action: string, typed: Fields, button: string): Html {
  const names = deps.repositories.content.pictures()
  const option = (name: string, words: string) =>
    html`<option value="${name}"${(typed.picture ?? '') === name ? html` selected` : ''}>${words}</option>`
  return html`<form method="post" action="${action}" class="card">${csrfInput(csrf)}
<label>文字（轮播图上的标题，或一行公告，1-40 字）<input name="title" value="${typed.title}" maxlength="40" required></label>
<label>图片（content/pictures 里的文件；不选就是一行公告）<select name="picture">${option('', '无图片：公告')}
${names.map((name) => option(name, name))}</select></label>
<label>链接（/pages… 或 https://…，可不填）<input name="link" value="${typed.link}" maxlength="300" autocapitalize="none"></label>
<label>顺序（小的在前）<input name="sort" value="${typed.sort ?? '0'}" inputmode="numeric"></label>
<button class="go">${button}</button></form>`
}

function row(b: BannerRow, { csrf }: DeskContext): Html {
  const url = `/desk/content/${b.id}`
  return html`<tr><td>${b.sort}</td><td><a href="${url}">${b.title}</a></td><td>${b.picture === '' ? '公告' : '轮播图'}</td>
<td>${b.active ? '展示中' : '已下架'}</td><td>${b.link}</td><td><form class="inline" method="post" action="${url}/${b.active ? 'off' : 'on'}">${csrfInput(csrf)}
<button class="link">${b.active ? '下架' : '上架'}</button></form></td></tr>`
}

/** Readers' votes: helpful or not. */
async function votes({ deps: { db, repositories } }: DeskContext): Promise<Html> {
  const rows = await db.selectFrom('counters').selectAll().where('key', 'in', ['HELP_YES', 'HELP_NO']).execute()
  const count = (id: string, key: string) => rows.find((r) => r.biz_id === id && r.key === key)?.n ?? 0
  const all = repositories.content
    .help()
    .flatMap(({ items }) =>
      items.map(({ id, question }) => ({ question, yes: count(id, 'HELP_YES'), no: count(id, 'HELP_NO') })),
    )
    .filter(({ yes, no }) => yes + no > 0)
    .sort((a, b) => b.no - a.no)
  if (all.length === 0) return html`<p class="hint">还没有人评价帮助。</p>`
  return html`<div class="scroll card"><table><tr><th>问题</th><th class="num">有帮助</th><th class="num">没帮助</th></tr>
${all.map(({ question, yes, no }) => html`<tr><td>${question}</td><td class="num">${yes}</td><td class="num">${no}</td></tr>`)}</table></div>`
}

async function list(ctx: DeskContext, _: Req, typed: Fields = {}): Promise<Html> {
  const { db } = ctx.deps
  const { content } = ctx.deps.repositories
  const rows = await db.selectFrom('banners').selectAll().orderBy('sort').orderBy('id').limit(MAX_ROWS).execute()
  const issues = content.issues()
  return html`${
    issues.length > 0 &&
    html`<div class="note bad" role="alert">这些文件有错，仍显示它们上一次正确的内容：<ul>${issues.map(({ file, reason }) => html`<li><code>${file}</code> ${reason}</li>`)}</ul></div>`
  }<h2>首页轮播图与公告</h2><div class="scroll card"><table><tr><th>顺序</th><th>文字</th><th>类型</th><th>状态</th><th>链接</th><th></th></tr>
${rows.map((b) => row(b, ctx))}</table></div>${form(ctx, '/desk/content', typed, '新增')}
<h2>帮助的评价</h2>${await votes(ctx)}
<p class="hint">文章 ${content.articles().length} 篇，图片 ${content.pictures().length} 张。文章、帮助和文档是 content 文件夹里的 Markdown，改好保存几秒内生效。</p>`
}

async function bannerPage(ctx: DeskContext, req: Req, typed?: Fields): Promise<Html> {
  const id = idOf(req)
  const found = /^\d{1,9}$/.test(id)
    ? await ctx.deps.db.selectFrom('banners').selectAll().where('id', '=', Number(id)).executeTakeFirst()
    : undefined
  if (!found) throw new AppError('NOT_FOUND', { msg: '没有这条内容' })
  return html`<p class="hint"><a href="/desk/content" data-key="u">返回内容</a> <kbd>u</kbd></p>
${form(ctx, `/desk/content/${found.id}/save`, typed ?? typedOf(found), '保存')}`
}

const bannerInputOf = (ctx: DeskContext, { title = '', picture = '', link = '', sort = '' }: Fields) =>
  bannerOf(ctx.deps.repositories.content, { title, picture, link, sort })

const add: FormAction = async (ctx, _req, fields) => {
  const made = bannerInputOf(ctx, fields)
  await logged(ctx, async (tx) => {
    const subject = await addBanner(tx, made, ctx.now)
    return { action: 'BANNER_ADD', subject, note: made.title }
  })
  return { to: '/desk/content', done: 'changed' }
}

const acts = { save: 'BANNER_EDIT', on: 'BANNER_ON', off: 'BANNER_OFF' } as const
const isAct = (act = ''): act is keyof typeof acts => Object.hasOwn(acts, act)

const change: FormAction = async (ctx, req, fields) => {
  const id = idOf(req)
  const { act } = req.params
  if (!/^\d{1,9}$/.test(id) || !isAct(act)) throw new AppError('NOT_FOUND')
  const patch = act === 'save' ? bannerInputOf(ctx, fields) : { active: act === 'on' }
  await logged(ctx, async (tx) => {
    if (!(await changeBanner(tx, id, patch, ctx.now))) throw new AppError('NOT_FOUND', { msg: '没有这条内容' })
    return { action: acts[act], subject: id, note: fields.title ?? '' }
  })
  return { to: '/desk/content', done: 'changed' }
}

/** Content of the home page besides the articles, and usage of the articles. */
export function registerDeskContent(desk: Desk): void {
  desk.page('/desk/content', '内容', list, { '': add })
  desk.page('/desk/content/:id', '内容', bannerPage, { ':act': change })
}
