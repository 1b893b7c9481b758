import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** One configured key: 32 bytes with a short id, which is part of everything it encrypts. */
export interface EncryptionKey {
  id: string
  secret: Buffer
}

const derive = (secret: Buffer, use: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', use, 32))

/** Strict base64url: Node ignores the spare bits of the last character, so several texts would encode one value. */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new Error('an encrypted text is not canonical base64url')
  return bytes
}

export type Encryption = ReturnType<typeof createEncryption>

/**
 * Encryption at rest for data that must be unreadable in a stolen database: names and ID numbers. The first key
 * encrypts; the others only decrypt, until `npm run identity:rotate` has encrypted everything again and they can be removed.
 */
export function createEncryption(keys: readonly [EncryptionKey, ...EncryptionKey[]]) {
  // the label 'seal' is part of existing data: changing it would make that undecryptable
  const ring = keys.map(({ id, secret }) => ({ id, cipher: derive(secret, 'seal'), hash: derive(secret, 'hash') }))
  const first = ring[0] as (typeof ring)[number]
  const hashWith = ({ hash }: { hash: Buffer }, plain: string) =>
    createHmac('sha256', hash).update(plain).digest('base64url')
  return {
    /** AES-256-GCM as `key.iv.tag.data`; `context` (the owner's id) is authenticated, so a row cannot be moved to another */
    encrypt(plain: string, context: string): string {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', first.cipher, iv).setAAD(Buffer.from(context))
      const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return [first.id, ...[iv, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join('.')
    },
    /** @throws if the key is missing, the text was modified, or the context is another one */
    decrypt(encrypted: string, context: string): string {
      const [id, iv, tag, data] = encrypted.split('.')
      const key = ring.find((k) => k.id === id)
      if (!key || !iv || !tag || data === undefined) throw new Error(`no key decrypts this text (key ${id})`)
      const decipher = createDecipheriv('aes-256-gcm', key.cipher, decode(iv))
        .setAAD(Buffer.from(context))
        .setAuthTag(decode(tag))
      return Buffer.concat([decipher.update(decode(data)), decipher.final()]).toString('utf8')
    },
    /** Keyed hashes of a text under every key, the encrypting one first: to find equal values without decrypting them. */
    hashes: (plain: string): [string, ...string[]] => [
      hashWith(first, plain),
      ...ring.slice(1).map((key) => hashWith(key, plain)),
    ],
    /** Whether a text is encrypted with a key other than the first one. */
    isStale: (encrypted: string): boolean => !encrypted.startsWith(`${first.id}.`),
  }
}
