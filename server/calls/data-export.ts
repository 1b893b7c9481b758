import { exportState, requestExport } from '../domains/accounts/data-export/exports'
import type { Handlers } from './handlers'

export const dataExportHandlers: Handlers<'dataExport'> = { request: requestExport, get: exportState }
