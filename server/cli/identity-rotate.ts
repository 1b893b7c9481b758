/**
 * `npm run identity:rotate`: encrypts every name, ID number and partner secret again with the first of IDENTITY_KEYS, and
 * computes the reporter hashes of their sales by it. Rotation: put the new key first, restart the servers, run this, remove the old
 * key. Idempotent: after an interruption, run it again.
 */
import type { Kysely } from 'kysely'
import { createEncryption, type Encryption } from '../core/encryption'
import type { DB } from '../db/tables'
import { rehashReporters } from '../domains/accounts/reporter-hashes'
import { rotatePartnerSecrets } from '../domains/market/partners/partners'
import { parseSettings } from '../settings'
import { runTool } from './tool'

/** @returns number of rows encrypted again */
export async function rotate(db: Kysely<DB>, encryption: Encryption): Promise<number> {
  const rows = await db
    .selectFrom('real_names')
    .select(['user_id', 'name_sealed', 'id_no_sealed'])
    .where('id_no_sealed', 'is not', null)
    .execute()
  let n = 0
  for (const { user_id: userId, name_sealed: name, id_no_sealed: encrypted } of rows) {
    if (!name || !encrypted || !encryption.isStale(encrypted)) continue
    const idNo = encryption.decrypt(encrypted, userId)
    await db
      .updateTable('real_names')
      .set({
        name_sealed: encryption.encrypt(encryption.decrypt(name, userId), userId),
        id_no_sealed: encryption.encrypt(idNo, userId),
        id_hash: encryption.hashes(idNo)[0],
      })
      .where('user_id', '=', userId)
      .where('id_no_sealed', '=', encrypted)
      .execute()
    n++
  }
  return n
}

if (require.main === module)
  runTool(async (db) => {
    const encryption = createEncryption(parseSettings(process.env).identityKeys)
    const n = await rotate(db, encryption)
    const partners = await rotatePartnerSecrets(db, encryption)
    const hashes = await rehashReporters(db, encryption)
    console.error(`✓ ${n} 条实名信息、${partners} 个合作方密钥已用新密钥重新加密，${hashes} 条成交的上报人标记已更新`)
  })
