import type { OpenCtx } from '../../../core/context'

/** lifetime of an embed URL, ms: long enough to open it, too short to share it */
const EMBED_TTL_MS = 600_000

const textOf = (reportNo: string, until: number) => `report-embed-v1\n${reportNo}\n${until}`

/** A signed token that grants read access to one report for a few minutes. Stateless: it contains its own expiry. */
export function embedToken({ reportSigner }: Pick<OpenCtx, 'reportSigner'>, reportNo: string, now: number): string {
  const until = now + EMBED_TTL_MS
  return `${until.toString(36)}.${reportSigner.sign(textOf(reportNo, until))}`
}

/** When the token was created (ms), if it is valid for this report; `EXPIRED` after its ten minutes. */
export function embedIssuedAt(
  { reportSigner }: Pick<OpenCtx, 'reportSigner'>,
  token: string,
  reportNo: string,
  now: number,
): number | 'EXPIRED' | 'WRONG' {
  const [, time = '', signature = ''] = /^([0-9a-z]{8,9})\.([\w-]{86})$/.exec(token) ?? []
  const until = Number.parseInt(time, 36)
  if (time === '' || reportSigner.complete(textOf(reportNo, until), signature) === undefined) return 'WRONG'
  return until > now ? until - EMBED_TTL_MS : 'EXPIRED'
}
