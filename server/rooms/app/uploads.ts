import { keysOf, uploadSceneText } from '@/contract/labels'
import type { Req, Res } from '@/contract/types'
import type { UserCtx } from '../../context'
import { ownerOf } from '../../providers/storage/port'
import { invalid, Refusal } from '../../refusal'

/**
 * Permission to upload pictures of one scene; with `key`, an address for looking at one of the caller's own.
 * @throws Refusal VALIDATION_FAILED for an unknown scene, NOT_FOUND for a picture that is not the caller's
 */
export async function uploadToken(
  { storage, userId, clock }: UserCtx,
  { scene, key }: Req<'app', 'stsGet'>,
): Promise<Res<'app', 'stsGet'>> {
  if (!keysOf(uploadSceneText).some((known) => known === scene))
    throw invalid([{ path: 'scene', msg: '没有这种上传场景' }])
  const now = clock.now()
  const token = await storage.permit(userId, now)
  if (key === undefined) return token
  if (ownerOf(key) !== userId) throw new Refusal('NOT_FOUND', { msg: '没有找到这张图片' })
  return { ...token, url: await storage.readUrl(key, now) }
}
