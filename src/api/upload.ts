import { NETWORK_TIMEOUT } from '@/contract/constants'
import type { uploadSceneText } from '@/contract/labels'
import type { UploadToken } from '@/contract/types'
import type { AbortableSignal } from '@/lib/abortableSignal'
import { uuid } from '@/lib/id'
import { absoluteUrl } from './address'
import type { Api } from './api'
import type { createClient } from './client'
import type { ApiDeps } from './deps'
import { ApiError } from './error'

/** minimum remaining validity of a token at the start of an upload */
const MIN_TOKEN_LIFETIME_MS = 60_000

export type UploadScene = keyof typeof uploadSceneText

export interface UploadOptions {
  /** Aborts the upload when it ends. */
  signal: AbortableSignal
  /** 0 to 100 */
  onProgress?: (percent: number) => void
}

/** Uploads a prepared JPEG. @returns its key. Rejects with ApiError, which the caller shows at the picture. */
export type Upload = (file: string, scene: UploadScene, options: UploadOptions) => Promise<string>

/** Form fields of the storage's POST policy, taken from the token. */
function fieldsOf({ token }: UploadToken): Record<string, string> {
  const fields: unknown = JSON.parse(token)
  return Object.fromEntries(Object.entries(fields as object).map(([name, value]) => [name, String(value)]))
}

/** URL of the caller's own picture, valid for 15 minutes; undefined if it is not accessible. */
export type GetPictureUrl = (key: string, scene: UploadScene, signal: AbortableSignal) => Promise<string | undefined>

export const createPictureUrl =
  (api: Api, deps: ApiDeps): GetPictureUrl =>
  async (key, scene, signal) => {
    const { url } = await api.app.stsGet({ scene, key }, { quiet: true, signal })
    return url && absoluteUrl(url, deps.base)
  }

/**
 * Uploads a form with the policy's fields, the key and, last, the file, as every storage expects. A token serves
 * several pictures; it belongs to one user and one scene.
 */
export function createUpload(api: Api, { transfer }: ReturnType<typeof createClient>, deps: ApiDeps): Upload {
  let kept: { name: string; token: UploadToken } | undefined

  async function tokenFor(scene: UploadScene, signal: AbortableSignal): Promise<UploadToken> {
    const name = `${deps.credentials().userId ?? ''} ${scene}`
    if (kept?.name === name && kept.token.expireAt - deps.now() > MIN_TOKEN_LIFETIME_MS) return kept.token
    kept = { name, token: await api.app.stsPost({ scene }, { quiet: true, signal }) }
    return kept.token
  }

  return async (file, scene, { signal, onProgress }) => {
    const token = await tokenFor(scene, signal)
    const key = token.dir + uuid(deps.random)
    const url = absoluteUrl(token.host, deps.base)
    const fields = { ...fieldsOf(token), key, 'Content-Type': 'image/jpeg' }
    const post = { url, file, name: 'file', fields, headers: {}, timeoutMs: NETWORK_TIMEOUT, onProgress }
    try {
      await transfer(() => deps.transport.upload(post), { quiet: true, signal })
    } catch (e) {
      // refused by the storage: the next attempt requests a new token
      if (e instanceof ApiError && e.kind === 'http') kept = undefined
      throw e
    }
    return key
  }
}
