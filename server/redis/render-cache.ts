import type { Redis } from 'ioredis'

/** A drawn picture or document. */
export interface CachedImage {
  file: Uint8Array
  /** CSS pixels */
  width: number
  height: number
}

/** Shares rendered files between processes; missing ones are rendered again. */
export interface RenderCache {
  /** @param hash of everything the file depends on */
  read(hash: string): Promise<CachedImage | undefined>
  write(hash: string, drawn: CachedImage): Promise<void>
}

/** s: as long as the address of a picture is valid */
const KEPT_FOR = 15 * 60
/** width and height, 4 bytes each, before the file */
const HEAD_BYTES = 8

const keyOf = (hash: string) => `drawn:${hash}`

/** @param redis undefined: nothing is shared */
export function createRenderCache(redis: Redis | undefined): RenderCache {
  if (!redis) return { read: async () => undefined, write: async () => undefined }
  return {
    async read(hash) {
      const bytes = await redis.getBuffer(keyOf(hash)).catch(() => null)
      if (!bytes || bytes.length <= HEAD_BYTES) return undefined
      return { width: bytes.readUInt32BE(0), height: bytes.readUInt32BE(4), file: bytes.subarray(HEAD_BYTES) }
    },
    async write(hash, { file, width, height }) {
      const head = Buffer.alloc(HEAD_BYTES)
      head.writeUInt32BE(width, 0)
      head.writeUInt32BE(height, 4)
      await redis.setex(keyOf(hash), KEPT_FOR, Buffer.concat([head, file])).catch(() => undefined)
    },
  }
}
