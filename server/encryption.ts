import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** One configured key: 32 bytes with a short id, which is part of everything it seals. */
export interface EncryptionKey {
  id: string
  secret: Buffer
}

/**
 * Encryption at rest for data that must be unreadable in a stolen database: names and ID numbers. The first key seals;
 * the others only open, until `npm run identity:rotate` has sealed everything again and they can be removed.
 */
export interface Encryption {
  /** AES-256-GCM as `key.iv.tag.data`; `context` (the owner's id) is authenticated, so a row cannot be moved to another */
  seal(plain: string, context: string): string
  /** @throws if the key is missing, the text was modified, or the context is another one */
  open(sealed: string, context: string): string
  /** Keyed hashes of a text under every key, the sealing one first: to find equal values without decrypting them. */
  hashes(plain: string): [string, ...string[]]
  /** Whether a text is sealed with a key other than the first one. */
  isStale(sealed: string): boolean
}

const derive = (secret: Buffer, use: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', use, 32))

/** Strict base64url: Node ignores the spare bits of the last character, so several texts would encode one value. */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new Error('a sealed text is not canonical base64url')
  return bytes
}

export function createEncryption(keys: readonly [EncryptionKey, ...EncryptionKey[]]): Encryption {
  const ring = keys.map(({ id, secret }) => ({ id, cipher: derive(secret, 'seal'), hash: derive(secret, 'hash') }))
  const first = ring[0] as (typeof ring)[number]
  const hashWith = ({ hash }: { hash: Buffer }, plain: string) =>
    createHmac('sha256', hash).update(plain).digest('base64url')
  return {
    seal(plain, context) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', first.cipher, iv).setAAD(Buffer.from(context))
      const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return [first.id, ...[iv, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join('.')
    },
    open(sealed, context) {
      const [id, iv, tag, data] = sealed.split('.')
      const key = ring.find((k) => k.id === id)
      if (!key || !iv || !tag || data === undefined) throw new Error(`no key opens this sealed text (key ${id})`)
      const decipher = createDecipheriv('aes-256-gcm', key.cipher, decode(iv))
        .setAAD(Buffer.from(context))
        .setAuthTag(decode(tag))
      return Buffer.concat([decipher.update(decode(data)), decipher.final()]).toString('utf8')
    },
    hashes: (plain) => [hashWith(first, plain), ...ring.slice(1).map((key) => hashWith(key, plain))],
    isStale: (sealed) => !sealed.startsWith(`${first.id}.`),
  }
}
