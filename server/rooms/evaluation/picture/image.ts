/** Pictures and documents of a report: made for its owner, under an address that works for a quarter of an hour. */
import type { Report, Req, Res } from '@/contract/types'
import type { Deps, UserCtx } from '../../../context'
import { createKept } from '../../../paper/kept'
import { xmpOf } from '../../../paper/label'
import { toPng } from '../../../paper/png'
import { invalid, Refusal } from '../../../refusal'
import { takeTurn } from '../../limits'
import { sha256 } from '../../secrets'
import { verifyUrl } from '../proof'
import { ownReport, siblingsOf } from '../report'
import { isOpen, type Row, toReport } from '../report-view'
import { reportPdf } from './document'
import { type Facts, factsOf, type Hide, hidable } from './facts'
import { poster } from './poster'

/** Where the server hands the files out. */
export const PICTURES = '/pictures'
/** ms an address works */
const READ_FOR = 15 * 60_000
/** drawings one user may ask for in a minute: each takes up to half a second */
const MOST_ASKED = 30
/** bytes of files in memory: some two hundred posters */
const KEPT = 64 * 1024 * 1024
/** sealed for this use; nothing else sealed by the server opens here */
const USE = 'report-picture'

export const formats = { PNG: 'image/png', PDF: 'application/pdf' } as const
export type Format = keyof typeof formats

/** One file somebody may have; travels sealed in its address, so that it says nothing of the owner. */
interface Asked {
  userId: string
  /** where its owner reached us: the reader's Host header is anybody's word, and each other one would be another drawing */
  origin: string
  reportNo: string
  format: Format
  scale: number
  hide: readonly Hide[]
}

interface Drawn {
  file: Buffer
  width: number
  height: number
}

const kept = createKept(KEPT)

/** A4 in dots of the screen */
const A4 = { width: 595, height: 842 }

async function png(facts: Facts, scale: number): Promise<Drawn> {
  const { svg, width, height } = poster(facts)
  const { report, id } = facts
  const xmp = xmpOf({ title: `估价报告 ${report.reportNo}`, id, generated: report.mode === 'AI' })
  const file = await kept(`${sha256(svg)} ${scale}`, () => toPng(svg, { scale, xmp }))
  return { file, width: width * scale, height: Math.ceil(height * scale) }
}

async function pdf(facts: Facts): Promise<Drawn> {
  return { file: await kept(sha256(JSON.stringify(facts)), () => reportPdf(facts)), ...A4 }
}

type Source = Pick<Deps, 'db' | 'games' | 'clock' | 'signer'> & { origin: string }

/** What its owner reads; the refusals are the same for a picture that was promised a moment ago. */
async function viewOf({ db, games, clock }: Source, row: Row): Promise<Report> {
  if (row.status === 'REVOKED') throw new Refusal('NOT_FOUND', { msg: '该报告已被撤回，不能再生成图片' })
  const [siblings, { config }] = await Promise.all([siblingsOf(db, row), games.find(row.game_id)])
  return toReport(row, config, siblings, clock.now())
}

async function draw(
  source: Source,
  row: Row,
  { format, scale, hide }: Pick<Asked, 'format' | 'scale' | 'hide'>,
): Promise<Drawn> {
  if (format === 'PDF' && !isOpen(row))
    throw new Refusal('REPORT_LOCKED', { msg: '完整报告尚未解锁，解锁后可以下载 PDF' })
  const [report, { nickname }] = await Promise.all([
    viewOf(source, row),
    source.db.selectFrom('users').select('nickname').where('id', '=', row.user_id).executeTakeFirstOrThrow(),
  ])
  const shown = hidable.filter((one) => !hide.includes(one))
  const facts = factsOf(report, { nickname, hide, verifyUrl: verifyUrl(source, row, shown) })
  return format === 'PDF' ? pdf(facts) : png(facts, scale)
}

function hideOf(text: string | undefined): Hide[] {
  const words = text ? text.split(',') : []
  if (!words.every((word) => hidable.some((known) => known === word)))
    throw invalid([{ path: 'hide', msg: '只能隐藏昵称（NICK）或价格区间（RANGE）' }])
  return hidable.filter((word) => words.includes(word))
}

/**
 * The poster of the caller's report, or the report as a document. Locked parts are in neither; the document is for open
 * reports only.
 * @throws Refusal NOT_FOUND, REPORT_LOCKED, VALIDATION_FAILED, REQUEST_TOO_BUSY_PLEASE_WAIT
 */
export async function reportImage(
  ctx: UserCtx,
  { orderId, scale = 1, hide: hidden, format = 'PNG' }: Req<'evaluation', 'reportImage'>,
): Promise<Res<'evaluation', 'reportImage'>> {
  const hide = hideOf(hidden)
  const now = ctx.clock.now()
  await takeTurn(ctx.db, { key: `picture:${ctx.userId}`, max: MOST_ASKED, window: 60_000, now })
  const row = await ownReport(ctx.db, ctx.userId, { orderId })
  if (!row) throw new Refusal('NOT_FOUND', { msg: '没有找到这份报告' })
  const { file, width, height } = await draw(ctx, row, { format, scale, hide })
  const expireAt = now + READ_FOR
  const asked: Asked = { userId: ctx.userId, origin: ctx.origin, reportNo: row.report_no, format, scale, hide }
  const sealed = ctx.vault.seal(JSON.stringify({ ...asked, expireAt }), USE)
  const url = `${PICTURES}/${sealed}/${row.report_no}.${format.toLowerCase()}`
  return { url, width, height, expireAt, size: file.length }
}

/** The file of an address that `reportImage` gave; undefined when it is forged, over, or the report is gone. */
export async function pictureOf(deps: Deps, sealed: string): Promise<{ file: Buffer; format: Format } | undefined> {
  const asked = openSeal(deps, sealed)
  if (!asked || !(asked.expireAt > deps.clock.now())) return undefined
  const row = await ownReport(deps.db, asked.userId, { reportNo: asked.reportNo })
  return row && { ...(await draw({ ...deps, origin: asked.origin }, row, asked)), format: asked.format }
}

function openSeal({ vault }: Deps, sealed: string): (Asked & { expireAt: number }) | undefined {
  try {
    return JSON.parse(vault.open(sealed, USE))
  } catch {
    return undefined
  }
}
