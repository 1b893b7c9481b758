/** Calls of the group `dataExport`: the export of one's own data (PIPL, article 45). */
import { among, empty, Int, obj, opt, Str, Timestamp } from './common'
import type { GroupSchemas } from './groupSchemas'

export const DataExport = obj({
  status: among(['NONE', 'WAITING', 'READY', 'FAILED']),
  requestedAt: opt(Timestamp),
  /** READY: address of the ZIP file, without a login */
  url: opt(Str),
  /** READY: when the address expires */
  expireAt: opt(Timestamp),
  /** READY: its size */
  bytes: opt(Int),
})

export const dataExport = {
  /** Starts an export unless one is in progress or can still be downloaded; returns the state of that one. */
  request: { req: empty, res: DataExport },
  get: { req: empty, res: DataExport },
} satisfies GroupSchemas<'dataExport'>
