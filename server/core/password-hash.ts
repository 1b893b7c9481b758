import { hash, verify } from '@node-rs/argon2'

/**
 * OWASP's second recommendation for argon2id: 19 MiB, two passes. Not configurable: tests replace the library
 * (jest.config.js).
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** argon2id in PHC format, with its salt and cost. */
export const hashPassword = (password: string | Uint8Array): Promise<string> => hash(password, COST)

/** Whether the password matches the hash; takes the same time if it does not. */
export const verifyPassword = (stored: string, password: string): Promise<boolean> => verify(stored, password)
