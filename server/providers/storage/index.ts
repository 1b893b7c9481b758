import path from 'node:path'
import type { Database } from '../../db/database'
import { secretOf } from '../../db/secret'
import type { Settings } from '../../settings'
import { createEmbeddedStorage, type EmbeddedStorage } from './embedded'
import type { StoragePort } from './port'

/** S3 if configured, otherwise a local folder. */
export const openStorage = async (
  { s3, dataDir }: Settings,
  database: Pick<Database, 'db'>,
  realNow: () => number = Date.now,
): Promise<StoragePort | EmbeddedStorage> =>
  s3
    ? // its client takes 20 MB of memory
      (await import('./s3')).createS3Storage(s3, realNow)
    : createEmbeddedStorage({
        dir: path.join(dataDir, 'uploads'),
        db: database.db,
        secret: await secretOf(database.db, 'uploads'),
      })
