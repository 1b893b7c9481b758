import type { Api } from './api'
import { type CallOptions, createClient } from './client'
import type { ApiDeps } from './deps'
import { createDownload, type Download } from './download'
import type { PreparedRequest } from './prepareRequest'
import { createPictureUrl, createUpload, type GetPictureUrl, type Upload } from './upload'

/** The part of the api that needs the network, loaded as a separate chunk. */
export interface NetworkApi {
  /** Rejects with ApiError only. `changesState`: a failure is never handed to a second caller. */
  call(prepared: PreparedRequest, changesState: boolean, options?: CallOptions): Promise<unknown>
  upload: Upload
  pictureUrl: GetPictureUrl
  download: Download
}

/** @param api used by uploads to request upload tokens */
export function createNetworkApi(deps: ApiDeps, api: Api): NetworkApi {
  const client = createClient(deps)
  return {
    call: client.call,
    upload: createUpload(api, client, deps),
    pictureUrl: createPictureUrl(api, deps),
    download: createDownload(client, deps),
  }
}
