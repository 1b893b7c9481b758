import { existsSync } from 'node:fs'
import path from 'node:path'
import type { EncryptionKey } from './core/encryption'
import { type Env, flag, integer, invalidSetting, oneOf, text, together, url } from './core/env'
import { StartError } from './core/start-error'
import { REQUEST_LIMITS } from './db/pool-limits'
import { parseRealName, parseSms } from './providers/cloud/settings'
import { type PaySettings, parsePaySettings } from './providers/pay/settings'
import { parseWechatLogin } from './providers/wechat/settings'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** fen: a price above it is a typing error */
const MAX_FEN = 1_000_000

/**
 * The role of a process: `web` answers requests, `worker` runs background work and answers only health checks, `ocr` only
 * reads screenshots, `all` does everything.
 */
const processRoles = ['web', 'worker', 'ocr', 'all'] as const

/** The games' official pages about accounts and rules, which may be shown inside the app. */
const gameDomains = [
  'pvp.qq.com',
  'gp.qq.com',
  'df.qq.com',
  'lolm.qq.com',
  'val.qq.com',
  'ys.mihoyo.com',
  'sr.mihoyo.com',
  'yjwujian.cn',
]

/** Where friends may help. WeChat's browser is listed separately, since WeChat penalises requests for help in it. */
const helpPlaces = ['weapp', 'h5', 'wechat'] as const
export type HelpPlace = (typeof helpPlaces)[number]

/** All settings from the environment (docs/operations.md), parsed once at start. */
export type Settings = ReturnType<typeof parseSettings>

/** @throws StartError with the embedded database, which only one process can open */
function processRole(env: Env) {
  const role = oneOf(env, 'PROCESS', 'all', processRoles)
  if (role !== 'all' && text(env, 'DATABASE_URL') === undefined)
    return invalidSetting('PROCESS', ' all，除非用 DATABASE_URL 指定 PostgreSQL（内置数据库只能由一个进程打开）', role)
  return role
}

/** Default of a fresh clone, which the client build uses too. It guards against accidental misuse, not attackers. */
const DEV_SIGN_SECRET = 'dev-sign-secret'

/** An external service that reads accounts (docs/collector.md). */
function collector(env: Env) {
  const address = url(env, 'COLLECTOR_URL', ['https:', 'http:'])
  if (address === undefined) return undefined
  const secret = text(env, 'COLLECTOR_SECRET') ?? ''
  if (secret.length < 16) return invalidSetting('COLLECTOR_SECRET', '至少 16 个字符的密钥', `${secret.length} 个字符`)
  return { url: address, secret }
}

/** An S3-compatible object storage. */
function s3(env: Env) {
  url(env, 'S3_ENDPOINT', ['https:', 'http:'])
  const given = together(env, {
    endpoint: 'S3_ENDPOINT',
    bucket: 'S3_BUCKET',
    accessKeyId: 'S3_ACCESS_KEY_ID',
    secretAccessKey: 'S3_SECRET_ACCESS_KEY',
  })
  return given && { ...given, region: text(env, 'S3_REGION') ?? 'us-east-1' }
}

/**
 * `HELP_ON`: comma-separated places, or `off`. In production the default is browsers only: the mini-program platform
 * bans apps in which sharing unlocks something (滥用分享).
 */
function helpOn(env: Env, production: boolean): readonly HelpPlace[] {
  const value = text(env, 'HELP_ON') ?? (production ? 'h5' : 'weapp,h5')
  if (value === 'off') return []
  return value.split(',').map((word) => {
    const place = helpPlaces.find((p) => p === word.trim())
    return place ?? invalidSetting('HELP_ON', ` ${helpPlaces.join('、')} 中的一个或多个（逗号分隔），或 off`, value)
  })
}

function signSecret(env: Env, production: boolean): string {
  const value = text(env, 'SIGN_SECRET')
  if (value !== undefined && (value.length < 8 || value.length > 200))
    return invalidSetting('SIGN_SECRET', ' 8 到 200 个字符', `${value.length} 个字符`)
  if (value === undefined && production)
    throw new StartError('设置 SIGN_SECRET 缺失：生产环境（NODE_ENV=production）必须设置 8 到 200 个字符的签名密钥。')
  return value ?? DEV_SIGN_SECRET
}

/** `id:base64 of 32 bytes`, comma-separated. Never printed, not even if invalid. */
function identityKeys(env: Env, production: boolean): [EncryptionKey, ...EncryptionKey[]] {
  const value = text(env, 'IDENTITY_KEYS')
  if (value === undefined && production)
    throw new StartError(
      '设置 IDENTITY_KEYS 缺失：生产环境必须设置实名信息的加密密钥，形如 k1:BASE64，可用 openssl rand -base64 32 生成。',
    )
  const given = (value ?? `dev:${Buffer.alloc(32, 'dev-identity').toString('base64')}`).split(',')
  const [first, ...rest] = given.flatMap((part) => {
    const [, id, secret] = /^([a-z0-9]{1,16}):([A-Za-z0-9+/]{43}=)$/.exec(part.trim()) ?? []
    return id && secret ? [{ id, secret: Buffer.from(secret, 'base64') }] : []
  })
  if (!first || new Set([first, ...rest].map(({ id }) => id)).size < given.length)
    return invalidSetting('IDENTITY_KEYS', '逗号分隔的 名称:32 字节的 BASE64，名称不重复', '（不显示）')
  return [first, ...rest]
}

/**
 * Parses the environment.
 * @throws StartError naming the first invalid variable and its allowed values
 */
export function parseSettings(env: Env, cwd = process.cwd()) {
  const production = env.NODE_ENV === 'production'
  const sandbox = flag(env, 'SANDBOX', !production)
  const wechatLogin = parseWechatLogin(env)
  const pay = parsePaySettings(env, wechatLogin)
  const reader = collector(env)
  return {
    production,
    processRole: processRole(env),
    /** 0: any free port */
    port: integer(env, 'PORT', 3000, 0, 65_535),
    /** undefined: no metrics, 0: any free port */
    metricsPort: text(env, 'METRICS_PORT') === undefined ? undefined : integer(env, 'METRICS_PORT', 0, 0, 65_535),
    metricsHost: hostname(env, 'METRICS_HOST', '127.0.0.1'),
    // the sandbox reveals login codes to anyone, so by default it listens on this machine only
    host: hostname(env, 'HOST', sandbox ? 'localhost' : '0.0.0.0'),
    /** absolute path; used only without `databaseUrl` */
    dataDir: path.resolve(cwd, text(env, 'DATA_DIR') ?? 'data'),
    contentDir: contentDir(env, cwd),
    databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: integer(env, 'DB_POOL_SIZE', REQUEST_LIMITS.size, 1, 500),
    /** s between SIGTERM, from which on `/readyz` answers 503, and closing the listener */
    drainSeconds: integer(env, 'DRAIN_SECONDS', 5, 0, 300),
    redisUrl: url(env, 'REDIS_URL', ['redis:', 'rediss:']),
    signSecret: signSecret(env, production),
    /** keys for names and ID numbers at rest, the newest first */
    identityKeys: identityKeys(env, production),
    sandbox,
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', logLevels),
    logFormat: oneOf(env, 'LOG', production ? 'json' : 'pretty', ['json', 'pretty']),
    apiDocs: flag(env, 'API_DOCS', !production),
    /** requests per minute and address, an IPv6 /64 being one; 0 = unlimited */
    rateLimit: integer(env, 'RATE_LIMIT', sandbox ? 0 : 1200, 0, 1_000_000),
    /** public `https://…` origin for users and payment providers; undefined = the one of the request */
    publicUrl: publicUrl(env, pay, reader !== undefined || wechatLogin.web !== undefined),
    pay,
    wechatLogin,
    sms: parseSms(env),
    /** codes per hour over all processes, except to owners in a known place; 0 = unlimited */
    smsPerHour: integer(env, 'SMS_PER_HOUR', sandbox ? 0 : 2000, 0, 1_000_000),
    realName: parseRealName(env),
    /** number of trusted proxies that set X-Forwarded-For */
    trustProxy: integer(env, 'TRUST_PROXY', 0, 0, 10),
    aiFreePerDay: integer(env, 'AI_FREE_PER_DAY', 3, 1, 1000),
    aiReportFen: integer(env, 'AI_REPORT_FEN', 390, 0, MAX_FEN),
    manualFen: {
      STD: integer(env, 'MANUAL_STD_FEN', 1990, 0, MAX_FEN),
      PRO: integer(env, 'MANUAL_PRO_FEN', 4990, 0, MAX_FEN),
    },
    /** unlock without payment, by friends or the mini-program's rewarded ad */
    unlock: {
      helpTarget: integer(env, 'HELP_TARGET', 3, 1, 5),
      helpOn: helpOn(env, production && !sandbox),
      adUnitId: text(env, 'AD_UNIT_ID'),
    },
    /** false: browsers remove the offline service worker at their next visit */
    offline: flag(env, 'OFFLINE', true),
    /** automatic refunds per hour over all processes; further ones wait for the next hour or for an admin */
    refundLimit: {
      count: integer(env, 'REFUND_BRAKE_COUNT', 50, 0, 1_000_000),
      fen: integer(env, 'REFUND_BRAKE_FEN', 200_000, 0, 999_999_999),
    },
    /** sandbox: seconds until the demo appraiser accepts an order, and again until it delivers; 0 = never */
    demoAppraiser: integer(env, 'DEMO_APPRAISER', 60, 0, 86_400),
    s3: s3(env),
    collector: reader,
    ocr: oneOf(env, 'OCR', 'on', ['on', 'sandbox', 'off']),
    /** domains, including subdomains, that may be shown inside the app over https */
    webDomains: [...gameDomains, ...(reader ? [new URL(reader.url).host] : [])],
  }
}

/** Without its documents users would agree to texts that nobody can read. */
function contentDir(env: Env, cwd: string): string {
  const dir = path.resolve(cwd, text(env, 'CONTENT_DIR') ?? path.join(__dirname, 'content'))
  if (existsSync(path.join(dir, 'documents'))) return dir
  return invalidSetting('CONTENT_DIR', '有 documents 等子文件夹的内容文件夹（参照 server/content）', dir)
}

/** Required if providers send notifications to it, because a Host header can be forged. */
function publicUrl(env: Env, { wechat, alipay, virtual }: PaySettings, others: boolean): string | undefined {
  const value = url(env, 'PUBLIC_URL', ['http:', 'https:'])
  if (!value && (wechat || alipay || virtual || others))
    throw new StartError(
      '设置 PUBLIC_URL 缺失：接入真实支付、微信网页登录或授权读取服务时必须给出本服务的公网地址，例如 https://gz.example.com。',
    )
  if (!value) return undefined
  const { origin, href } = new URL(value)
  // compared with the origins of requests and of return addresses
  if (href !== `${origin}/`)
    return invalidSetting(
      'PUBLIC_URL',
      '只有协议、域名和端口的地址，例如 https://gz.example.com',
      '（还有路径、参数或账号）',
    )
  return origin
}

function hostname(env: Env, name: string, fallback: string): string {
  const value = text(env, name)
  if (value === undefined) return fallback
  return /^[0-9A-Za-z.:_-]+$/.test(value) ? value : invalidSetting(name, '主机名或 IP 地址', value)
}
