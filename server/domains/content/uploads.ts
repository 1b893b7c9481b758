import { sql } from 'kysely'
import { keysOf, uploadSceneText } from '@/contract/labels'
import { DAY_MS, MINUTE_MS } from '@/contract/time'
import type { Req, Res } from '@/contract/types'
import { AppError, invalid } from '../../core/app-error'
import type { UserCtx } from '../../core/context'
import { ownPictures } from '../../providers/storage/port'
import { type NotQuarantined, rowsJob } from '../shared/due-rows'

/**
 * Signed upload form for pictures of one scene; with `key`, a signed address of one of the caller's pictures and no form.
 * @throws AppError VALIDATION_FAILED for an unknown scene, UPLOAD_QUOTA, NOT_FOUND for a picture that is not the caller's
 */
export async function uploadToken(
  { providers: { storage }, db, userId, clock }: UserCtx,
  { scene, key }: Req<'app', 'stsGet'>,
): Promise<Res<'app', 'stsGet'>> {
  if (!keysOf(uploadSceneText).some((key) => key === scene)) throw invalid([{ path: 'scene', msg: '没有这种上传场景' }])
  const now = clock.now()
  if (key === undefined) return storage.permit(userId, now)
  if ((await ownPictures({ db, userId }, [key])).length === 0)
    throw new AppError('NOT_FOUND', { msg: '没有找到这张图片' })
  // the form stays empty: a user at the quota gets none, but may look at a picture
  return { ...{ token: '', host: '', dir: '', expireAt: now, maxSize: 0 }, url: await storage.readUrl(key, now) }
}

/** ms a picture may stay unused: a draft lives 30 days on the device. Used ones are checked at the same interval. */
const UNUSED_FOR = 31 * DAY_MS
const BATCH = 100

/** Purges unreferenced pictures of the embedded storage. A bucket has its own lifecycle rules. */
export const purgeOrphanedPictures = rowsJob({ name: 'orphaned pictures', every: 10 * MINUTE_MS }, (deps, now) => ({
  due: async (notQuarantined) => (await unseen(now, notQuarantined).execute(deps.db)).rows,
  idOf: ({ key }) => key,
  async process({ key, used }) {
    if (!used) await deps.providers.storage.remove([key])
    else await deps.db.updateTable('uploads').set({ checked_at: now }).where('key', '=', key).execute()
    return true
  },
}))

/**
 * Pictures not checked recently, and whether anything references them. `position`, because with an equality PostgreSQL
 * may read the whole table once for all of them.
 */
const unseen = (now: number, notQuarantined: NotQuarantined) => sql<{ key: string; used: boolean }>`
      select key, exists (select from orders o where o.user_id = u.user_id
          and (position(u.key in o.answers::text) > 0 or position(u.key in o.images::text) > 0))
        or exists (select from reports r where r.user_id = u.user_id and position(u.key in r.inputs::text) > 0)
        or exists (select from reviews v where v.user_id = u.user_id
          and position(u.key in concat(v.images, v.addition_images)) > 0)
        or exists (select from sale_followups s where s.user_id = u.user_id and position(u.key in s.image) > 0)
        or exists (select from feedback f where f.user_id = u.user_id and position(u.key in f.images::text) > 0)
        or exists (select from chat_messages m where m.user_id = u.user_id and position(u.key in m.image) > 0)
        or exists (select from users where id = u.user_id and position(u.key in avatar) > 0) as used
      from uploads u where created_at <= ${now - UNUSED_FOR} and checked_at <= ${now - UNUSED_FOR}
        and ${notQuarantined(sql`u.key`)}
      order by checked_at limit ${sql.lit(BATCH)}`
