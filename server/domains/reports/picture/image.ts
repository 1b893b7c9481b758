/** Pictures and documents of a report, drawn for its owner, at an address that is valid for a quarter of an hour. */
import { LRUCache } from 'lru-cache'
import { MINUTE_MS } from '@/contract/time'
import type { Report, Req, Res } from '@/contract/types'
import { AppError, invalid, reportNotFound } from '../../../core/app-error'
import type { Deps, UserCtx } from '../../../core/context'
import { sha256 } from '../../shared/secrets'
import { proofOf } from '../publishing/verification'
import { ownReport } from '../reading/report'
import { isReportUnlocked, type OwnReportRow, reportView } from '../reading/view'
import { type Hide, hideable, pictureContent } from './content'
import type { DrawnPicture, Format } from './draw'
import { drawInWorker } from './draw-pool'

/** URL path of the files. */
export const PICTURES = '/pictures'
/** ms an address is valid */
const PICTURE_URL_LIFETIME_MS = 15 * MINUTE_MS
/** bytes of the file cache: about two hundred posters */
const MAX_CACHE_BYTES = 64 * 1024 * 1024
/** purpose of the encryption; data encrypted for other purposes is rejected here */
const USE = 'report-picture'

export const formats = { PNG: 'image/png', PDF: 'application/pdf' } as const satisfies Record<Format, string>

/** A requested file; encrypted in its address, which therefore reveals nothing about the owner. */
interface PictureRequest {
  userId: string
  /** origin used by the owner; the reader's Host header is untrusted and would cause further drawings */
  origin: string
  reportNo: string
  format: Format
  scale: number
  hide: readonly Hide[]
}

/** By the hash of all that the file depends on; concurrent requests for the same file share one drawing. */
const kept = new LRUCache<string, DrawnPicture, () => Promise<DrawnPicture>>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: ({ file }) => file.length,
  fetchMethod: (_hash, _previous, { context: make }) => make(),
})

type Source = Deps & { origin: string }

/** The owner's view of the report; the same checks apply again when an earlier address is opened. */
async function viewOf(source: Source, row: OwnReportRow): Promise<Report> {
  if (row.status === 'REVOKED') throw new AppError('NOT_FOUND', { msg: '该报告已被撤回，不能再生成图片' })
  // the trend is not drawn, or its daily change would have every picture drawn again
  const { trend: _, ...report } = await reportView(source, row, row.siblings)
  return report
}

/** The drawn file. A reader may be anybody with the address, so what is not cached is counted for the owner. */
async function draw(
  source: Source,
  row: OwnReportRow,
  { format, scale, hide }: Pick<PictureRequest, 'format' | 'scale' | 'hide'>,
): Promise<DrawnPicture> {
  if (format === 'PDF' && !isReportUnlocked(row))
    throw new AppError('REPORT_LOCKED', { msg: '完整报告尚未解锁，解锁后可以下载 PDF' })
  const [report, { nickname }] = await Promise.all([
    viewOf(source, row),
    source.db.selectFrom('users').select('nickname').where('id', '=', row.user_id).executeTakeFirstOrThrow(),
  ])
  const shown = hideable.filter((part) => !hide.includes(part))
  const content = pictureContent(report, { nickname, hide, verifyUrl: proofOf(source, row, shown).verifyUrl })
  const request = { content, format, scale }
  const hash = sha256(JSON.stringify(request))
  return kept.forceFetch(hash, {
    context: async () => {
      await source.limits.enforce('draw', row.user_id)
      return drawInWorker(request)
    },
  })
}

function hideOf(text: string | undefined): Hide[] {
  const words = text ? text.split(',') : []
  if (!words.every((word) => hideable.some((part) => part === word)))
    throw invalid([{ path: 'hide', msg: '只能隐藏昵称（NICK）或价格区间（RANGE）' }])
  return hideable.filter((word) => words.includes(word))
}

/**
 * The poster of the caller's report, or the report as a document. Neither contains locked parts; documents are for
 * unlocked reports only.
 * @throws AppError NOT_FOUND, REPORT_LOCKED, VALIDATION_FAILED, REQUEST_TOO_BUSY_PLEASE_WAIT
 */
export async function reportImage(
  ctx: UserCtx,
  { orderId, scale = 1, hide: hidden, format = 'PNG' }: Req<'evaluation', 'reportImage'>,
): Promise<Res<'evaluation', 'reportImage'>> {
  const hide = hideOf(hidden)
  const now = ctx.clock.now()
  const row = await ownReport(ctx.db, ctx.userId, { orderId })
  if (!row) throw reportNotFound()
  const { file, width, height } = await draw(ctx, row, { format, scale, hide })
  const expireAt = now + PICTURE_URL_LIFETIME_MS
  const request: PictureRequest = {
    userId: ctx.userId,
    origin: ctx.origin,
    reportNo: row.report_no,
    format,
    scale,
    hide,
  }
  const encrypted = ctx.encryption.encrypt(JSON.stringify({ ...request, expireAt }), USE)
  const url = `${PICTURES}/${encrypted}/${row.report_no}.${format.toLowerCase()}`
  return { url, width, height, expireAt, size: file.length }
}

/**
 * The file at an address from `reportImage`; undefined when it is forged, expired, or the report is gone.
 * @throws AppError REQUEST_TOO_BUSY_PLEASE_WAIT
 */
export async function pictureOf(deps: Deps, encrypted: string): Promise<{ file: Buffer; format: Format } | undefined> {
  const request = decryptRequest(deps, encrypted)
  const now = deps.clock.now()
  if (!request || !(request.expireAt > now)) return undefined
  const { userId, format } = request
  const row = await ownReport(deps.db, userId, { reportNo: request.reportNo })
  if (!row) return undefined
  const { file } = await draw({ ...deps, origin: request.origin }, row, request)
  return { file: Buffer.from(file.buffer, file.byteOffset, file.byteLength), format }
}

function decryptRequest({ encryption }: Deps, encrypted: string): (PictureRequest & { expireAt: number }) | undefined {
  try {
    return JSON.parse(encryption.decrypt(encrypted, USE))
  } catch {
    return undefined
  }
}
