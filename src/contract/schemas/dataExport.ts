/** Calls of the group `dataExport`: a copy of one's own data (PIPL, article 45). */
import { dataExportStatusText } from '../labels'
import { empty, Int, obj, oneOf, opt, Str, Timestamp } from './common'
import type { GroupSchemas } from './shape'

export const DataExport = obj({
  status: oneOf(dataExportStatusText),
  requestedAt: opt(Timestamp),
  /** READY: address of the ZIP file, without a login */
  url: opt(Str),
  /** READY: until then the address works */
  expireAt: opt(Timestamp),
  /** READY: its size */
  bytes: opt(Int),
})

export const dataExport = {
  /** Starts one unless one is being made or can still be downloaded; answers which it is. */
  request: { req: empty, res: DataExport },
  get: { req: empty, res: DataExport },
} satisfies GroupSchemas<'dataExport'>
