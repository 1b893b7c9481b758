import path from 'node:path'
import type { Kysely } from 'kysely'
import { secretOf } from '../../db/secret'
import type { Tables } from '../../db/tables'
import type { Settings } from '../../settings'
import { createEmbeddedStorage, type EmbeddedStorage } from './embedded'
import type { StoragePort } from './port'
import { createS3Storage } from './s3'

/** S3 if configured, otherwise a local folder. */
export const openStorage = async (
  { s3, dataDir }: Settings,
  db: Kysely<Tables>,
  realNow: () => number = Date.now,
): Promise<StoragePort | EmbeddedStorage> =>
  s3
    ? createS3Storage(s3, realNow)
    : createEmbeddedStorage({ dir: path.join(dataDir, 'uploads'), db, secret: await secretOf(db, 'uploads') })
