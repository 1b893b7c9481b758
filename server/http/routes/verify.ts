import type { FastifyInstance } from 'fastify'
import { estimate, estimateRange } from '@/contract/format'
import { modeText } from '@/contract/labels'
import { dateTimeText } from '@/contract/timeText'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import type { Game } from '../../domains/games/repository'
import { isProof, type VerificationResult, verifyReport } from '../../domains/reports/publishing/verification'
import { idMasked } from '../../domains/reports/reading/view'
import { reportBody } from '../../domains/reports/store'
import { Html, html } from '../html'

const css =
  new Html(`:root{color-scheme:light dark;--bg:#f4f6fb;--card:#fff;--line:#e6e9f2;--text:#0e1526;--soft:#454f66;--blue:#2456f0;
--good:#15803d;--good-bg:#effaf2;--warn:#945600;--warn-bg:#fef7ea;--bad:#b91c1c;--bad-bg:#fff6f5}
@media(prefers-color-scheme:dark){:root{--bg:#0b0f1a;--card:#151b2b;--line:#263048;--text:#f2f5fc;--soft:#b6c0d0;--blue:#60a5fa;
--good:#4ade80;--good-bg:#10281b;--warn:#fbbf24;--warn-bg:#2c2312;--bad:#f87171;--bad-bg:#2d1a1c}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:30rem;padding:1rem 1rem 2.5rem;background:var(--bg);color:var(--text);
font:1rem/1.6 -apple-system,'PingFang SC','HarmonyOS Sans SC','Noto Sans SC',sans-serif}
header{padding:.25rem 0 .75rem;color:var(--soft);font-size:.9375rem}
main>section{background:var(--card);border-radius:12px;padding:1.25rem 1rem;margin-bottom:.75rem}
.state{text-align:center}.mark{display:inline-flex;width:4rem;height:4rem;border-radius:50%;align-items:center;
justify-content:center;font-size:2rem;font-weight:700;line-height:1}
.good .mark{background:var(--good-bg);color:var(--good)}.warn .mark{background:var(--warn-bg);color:var(--warn)}
.bad .mark{background:var(--bad-bg);color:var(--bad)}.good h1{color:var(--good)}.warn h1{color:var(--warn)}.bad h1{color:var(--bad)}
h1{margin:.5rem 0 0;font-size:1.5rem}h2{margin:0 0 .5rem;font-size:1.0625rem}p{margin:.375rem 0;color:var(--soft)}
dl{margin:0}dl div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.625rem 0;
border-bottom:1px solid var(--line)}dl div:last-child{border-bottom:0}dt{color:var(--soft)}
dd{margin:0;font-weight:600;text-align:right;overflow-wrap:anywhere}.price{font-size:1.5rem;line-height:1.2}
a.go{display:flex;align-items:center;justify-content:center;min-height:48px;border-radius:24px;
border:1px solid var(--blue);color:var(--blue);text-decoration:none;font-weight:600}
small{display:block;margin-top:1rem;color:var(--soft);font-size:.875rem;text-align:center}`)

/** Text of each state, and its symbol beside the colour. */
const words = {
  VALID: { tone: 'good', mark: '✓', title: '有效', text: '本平台出具过这份报告，在有效期内。' },
  EXPIRED: {
    tone: 'warn',
    mark: '!',
    title: '已过期',
    text: '本平台出具过这份报告，但已过有效期，行情可能已经变化。',
  },
  REVOKED: { tone: 'bad', mark: '×', title: '已撤回', text: '这份报告已被撤回，不能再作为参考。' },
  INVALID: {
    tone: 'bad',
    mark: '×',
    title: '无效',
    text: '没有通过验证：链接不完整、报告已不存在，或内容被篡改。请扫描报告图片上的二维码打开本页，不要手动输入编号。',
  },
  UNSIGNED: {
    tone: 'warn',
    mark: '?',
    title: '请扫码验证',
    text: '只凭编号不能验证。请扫描报告图片或文件上的二维码打开本页。',
  },
} as const

const row = (name: string, value: string | Html) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

type Good = Extract<VerificationResult, { report: unknown }>

/** The details that the owner left visible on the picture, as stored. */
function shownRows({ report, shown }: Good, { config }: Game): Html {
  const { price } = reportBody(report)
  const { idMasked: id } = shown.includes('NICK') ? idMasked(config, report.inputs.answers) : {}
  const range = shown.includes('RANGE') && price.coverage !== undefined
  return html`${id !== undefined && row('账号 ID', id)}
${range && html`${row('价格区间', estimateRange(price.lowFen, price.highFen))}${row('快速出手价', estimate(price.quickFen))}${row('建议挂牌价', estimate(price.listFen))}`}`
}

function details(good: Good, game: Game): Html {
  const { report } = good
  const body = reportBody(report)
  const model = 'model' in body ? body.model : undefined
  return html`<section><h2>请逐项核对您看到的内容</h2>
<p>二维码和链接可以被放到别的图片、文案里，只能说明下面这份报告是真的。图片或文件上有任何一项与下面不符即被篡改，请以本页为准；出售文案里的售价由卖家自己定，不是参考成交价。本页没有列出的内容无法核对。</p><dl>
${row('报告编号', report.report_no)}${row('游戏', game.config.name)}${row('账号', report.title)}
${row('参考成交价', html`<span class="price">${estimate(report.predict_fen)}</span>`)}${shownRows(good, game)}
${row('估价方式', modeText[report.mode])}${row('出具时间', dateTimeText(report.created_at))}
${row('有效期至', dateTimeText(report.valid_until))}</dl>
${model?.synthetic && html`<p>这份估价的样本含合成数据，仅用于演示估价方法，不代表真实行情。</p>`}</section>`
}

function page({ state }: { state: keyof typeof words }, body: Html | false): string {
  const { tone, mark, title, text } = words[state]
  return html`<!doctype html><html lang="zh-CN"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow">
<title>报告验证：${title} · 游戏账号估价专家</title><link rel="icon" href="data:,"><style>${css}</style></head><body>
<header>游戏账号估价专家 · 报告验证</header><main><section class="state ${tone}"><span class="mark" aria-hidden="true">${mark}</span>
<h1>${title}</h1><p>${text}</p></section>${body}<a class="go" href="/">估我的账号</a>
<small>估价仅供参考，不构成收购承诺；请遵守游戏用户协议。</small></main></body></html>`.text
}

// the app shows the page in its web view, which is a frame on h5
const csp = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'self'"

/** `/v/<number>?s=<signature or its start>`: whether a report is authentic and unchanged, for anybody with the link. No scripts. */
export function registerVerify(app: FastifyInstance, lifecycle: Lifecycle): void {
  app.get<{ Params: { no: string }; Querystring: { s?: unknown } }>(
    '/v/:no',
    { schema: { hide: true }, config: { isPage: true } },
    async (req, reply) => {
      const { params, query } = req
      const deps = depsOf(lifecycle)
      const proof = typeof query.s === 'string' ? query.s : ''
      const wellFormed = /^GZ\d{8}-[0-9A-Z]{6}$/.test(params.no) && isProof(proof)
      // without a signature the number was typed by hand: not a sign of forgery, whatever the number
      const unread = query.s === undefined ? 'UNSIGNED' : 'INVALID'
      const verdict = wellFormed
        ? await verifyReport(deps, params.no, proof, deps.clock.now())
        : ({ state: unread } as const)
      const body = 'report' in verdict && details(verdict, await deps.repositories.games.find(verdict.report.game_id))
      reply.headers({ 'cache-control': 'no-store', 'content-security-policy': csp, 'referrer-policy': 'no-referrer' })
      return reply.type('text/html; charset=utf-8').send(page(verdict, body))
    },
  )
}
