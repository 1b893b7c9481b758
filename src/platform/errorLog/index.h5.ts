import type { ErrorLog } from './port'

/** No-op: browsers have no remote log; uncaught errors appear in the console. */
export const errorLog: ErrorLog = { onUncaught: () => undefined, write: () => undefined }
