import { Redis } from 'ioredis'
import type { Logger } from '../core/log'

/** ms for one command: Redis holds only dispensable data, so no request waits longer */
const COMMAND_WITHIN = 300
const CONNECT_WITHIN = 2000
/** prefix of all keys, for a server that other programs use too */
const KEY_PREFIX = 'valuation:'

/**
 * Connects to Redis or Valkey. Without a connection commands fail at once and their users go on by themselves, each
 * process for itself; the client reconnects in the background.
 */
export async function openRedis(url: string, log: Pick<Logger, 'warn' | 'info'>): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    keyPrefix: KEY_PREFIX,
    commandTimeout: COMMAND_WITHIN,
    connectTimeout: CONNECT_WITHIN,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
  })
  // one line for an outage, not one for every attempt
  let isAway = false
  redis.on('error', (err) => {
    if (!isAway) log.warn({ err }, 'Redis is away: limits are counted per process meanwhile')
    isAway = true
  })
  redis.on('ready', () => {
    if (isAway) log.info('Redis is back')
    isAway = false
  })
  await redis.connect().catch(() => undefined)
  return redis
}
