import { exportState, requestExport } from '../domains/users/data-export/exports'
import type { Handlers } from './handlers'

export const dataExportHandlers: Handlers<'dataExport'> = { request: requestExport, get: exportState }
