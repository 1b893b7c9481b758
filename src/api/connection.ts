import type { Api } from './api'
import { type CallOptions, createClient } from './client'
import type { ApiDeps } from './deps'
import { createFetch, type Fetch } from './download'
import type { Prepared } from './prepare'
import { createLook, createUpload, type Look, type Upload } from './upload'

/** What sends: everything of the api that needs the network. */
export interface Connection {
  /** Rejects with AppError only. `changesState`: a failure is never handed to a second caller. */
  call(prepared: Prepared, changesState: boolean, options?: CallOptions): Promise<unknown>
  upload: Upload
  look: Look
  fetch: Fetch
}

/** @param api the calls that uploads ask for permission with */
export function createConnection(deps: ApiDeps, api: Api): Connection {
  const client = createClient(deps)
  return {
    call: client.call,
    upload: createUpload(api, client, deps),
    look: createLook(api, deps),
    fetch: createFetch(client, deps),
  }
}
