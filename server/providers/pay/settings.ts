import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { baseUrl, type Env, invalidSetting, oneOf, text } from '../../core/env'
import { StartError } from '../../core/start-error'

/** WeChat Pay v3. */
export interface WechatSettings {
  mchid: string
  /** serial number of the merchant's certificate */
  serial: string
  /** PEM */
  privateKey: string
  /** 32 characters: decrypts notifications */
  v3Key: string
  /**
   * keys WeChat Pay signs with: `PUB_KEY_ID_…` or a platform certificate's serial → PEM of the public key; the first is
   * preferred
   */
  platformKeys: Readonly<Record<string, string>>
  /** official account, for JSAPI and H5 */
  mpAppId: string | undefined
  miniAppId: string | undefined
  baseUrl: string
}

export interface AlipaySettings {
  appId: string
  /** PEM, PKCS#8 */
  privateKey: string
  /** PEM: Alipay's key, not the application's */
  publicKey: string
  gateway: string
}

/** Virtual payment of the mini-program. */
export interface VirtualSettings {
  offerId: string
  appKey: string
  /** 0: live, 1: WeChat's sandbox */
  env: 0 | 1
  /** price in fen → id of the product declared at that price */
  products: Readonly<Record<number, string>>
  appId: string
  appSecret: string
  pushToken: string
  baseUrl: string
}

/** The mini-program, whose credentials exchange a login code for a session. */
export interface MiniSettings {
  appId: string
  secret: string
  baseUrl: string
}

export const iosPayModes = ['OFF', 'VIRTUAL', 'NORMAL'] as const

export interface PaySettings {
  /** what the mini-program sells on iOS: nothing, through Apple, or as on other devices */
  ios: (typeof iosPayModes)[number]
  wechat: WechatSettings | undefined
  alipay: AlipaySettings | undefined
  virtual: VirtualSettings | undefined
  mini: MiniSettings | undefined
}

/** Whether a provider is configured. @throws StartError if only some of its variables are set */
function group(env: Env, needed: readonly string[]): boolean {
  const missing = needed.filter((name) => !text(env, name))
  if (missing.length === needed.length) return false
  if (missing.length > 0)
    throw new StartError(`设置 ${missing.join('、')} 缺失：${needed.join('、')} 要么全部设置，要么都不设置。`)
  return true
}

const must = (env: Env, name: string): string => text(env, name) ?? invalidSetting(name, '非空文本', '（空）')

/**
 * A key given as PEM text (with `
 * ` allowed for line breaks), as the path of a PEM file, or as bare base64 from Alipay's tool.
 */
function material(value: string): string {
  if (value.includes('-----BEGIN')) return value.replaceAll('\\n', '\n')
  if (value.length < 300 && existsSync(value)) return readFileSync(value, 'utf8')
  return value
}

const der = (value: string) => Buffer.from(value, 'base64')

/** @returns PKCS#8 PEM */
function privateKey(env: Env, name: string): string {
  const value = material(must(env, name))
  const tries = value.includes('-----BEGIN')
    ? [() => createPrivateKey(value)]
    : (['pkcs8', 'pkcs1'] as const).map((type) => () => createPrivateKey({ key: der(value), format: 'der', type }))
  for (const read of tries) {
    try {
      return read().export({ type: 'pkcs8', format: 'pem' }).toString()
    } catch {
      // the key has another format: try the next one
    }
  }
  return invalidSetting(name, 'RSA 私钥（PEM 文本、PEM 文件路径或 BASE64）', '（不显示）')
}

/** @returns PEM of the public key, which may be given as a certificate */
function publicKey(name: string, given: string): string {
  const value = material(given)
  try {
    const key = value.includes('CERTIFICATE-----')
      ? new X509Certificate(value).publicKey
      : value.includes('-----BEGIN')
        ? createPublicKey(value)
        : createPublicKey({ key: der(value), format: 'der', type: 'spki' })
    return key.export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    return invalidSetting(name, 'RSA 公钥或证书（PEM 文本、PEM 文件路径或 BASE64）', '（不显示）')
  }
}

/** `KEY_ID=path`, comma-separated. */
function platformKeys(env: Env): Record<string, string> {
  const name = 'WECHAT_PAY_PLATFORM_KEYS'
  const pairs = must(env, name).split(',')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, id, value] = /^\s*([A-Za-z0-9_]{8,64})=([\s\S]+)$/.exec(pair) ?? []
      if (!id || !value) return invalidSetting(name, '逗号分隔的 公钥ID=公钥文件 或 证书序列号=证书文件', '（不显示）')
      return [id, publicKey(name, value.trim())]
    }),
  )
}

function wechat(env: Env): WechatSettings | undefined {
  const needed = ['MCHID', 'SERIAL', 'PRIVATE_KEY', 'V3_KEY', 'PLATFORM_KEYS'].map((k) => `WECHAT_PAY_${k}`)
  if (!group(env, needed)) return undefined
  const v3Key = must(env, 'WECHAT_PAY_V3_KEY')
  if (Buffer.byteLength(v3Key) !== 32) invalidSetting('WECHAT_PAY_V3_KEY', ' 32 个字符', `${v3Key.length} 个字符`)
  const mchid = must(env, 'WECHAT_PAY_MCHID')
  if (!/^\d{8,10}$/.test(mchid)) invalidSetting('WECHAT_PAY_MCHID', ' 8 到 10 位数字', mchid)
  return {
    mchid,
    serial: must(env, 'WECHAT_PAY_SERIAL'),
    privateKey: privateKey(env, 'WECHAT_PAY_PRIVATE_KEY'),
    v3Key,
    platformKeys: platformKeys(env),
    mpAppId: text(env, 'WECHAT_MP_APPID'),
    miniAppId: text(env, 'WECHAT_MINI_APPID'),
    baseUrl: baseUrl(env, 'WECHAT_PAY_BASE_URL', 'https://api.mch.weixin.qq.com'),
  }
}

function alipay(env: Env): AlipaySettings | undefined {
  if (!group(env, ['ALIPAY_APP_ID', 'ALIPAY_PRIVATE_KEY', 'ALIPAY_PUBLIC_KEY'])) return undefined
  return {
    appId: must(env, 'ALIPAY_APP_ID'),
    privateKey: privateKey(env, 'ALIPAY_PRIVATE_KEY'),
    publicKey: publicKey('ALIPAY_PUBLIC_KEY', must(env, 'ALIPAY_PUBLIC_KEY')),
    gateway: 'https://openapi.alipay.com/gateway.do',
  }
}

function mini(env: Env): MiniSettings | undefined {
  const appId = text(env, 'WECHAT_MINI_APPID')
  const secret = text(env, 'WECHAT_MINI_SECRET')
  if (!appId || !secret) return undefined
  return { appId, secret, baseUrl: baseUrl(env, 'WECHAT_API_BASE_URL', 'https://api.weixin.qq.com') }
}

/** `390=unlock,2900=std`. A product has a fixed price, so every price that may be charged needs one. */
function products(env: Env): Record<number, string> {
  const name = 'WECHAT_VIRTUAL_PRODUCTS'
  return Object.fromEntries(
    must(env, name)
      .split(',')
      .map((pair) => {
        const [, fen, id] = /^\s*(\d{3,8})=([\w-]{1,64})\s*$/.exec(pair) ?? []
        return fen && id ? [fen, id] : invalidSetting(name, '逗号分隔的 分=道具ID，至少 100 分', pair)
      }),
  )
}

function virtual(env: Env, app: MiniSettings | undefined): VirtualSettings | undefined {
  const needed = ['OFFER_ID', 'APP_KEY', 'PUSH_TOKEN', 'PRODUCTS'].map((k) => `WECHAT_VIRTUAL_${k}`)
  if (!group(env, needed)) return undefined
  if (!app)
    throw new StartError('设置 WECHAT_MINI_APPID、WECHAT_MINI_SECRET 缺失：虚拟支付（WECHAT_VIRTUAL_*）需要它们。')
  return {
    offerId: must(env, 'WECHAT_VIRTUAL_OFFER_ID'),
    appKey: must(env, 'WECHAT_VIRTUAL_APP_KEY'),
    pushToken: must(env, 'WECHAT_VIRTUAL_PUSH_TOKEN'),
    products: products(env),
    env: oneOf(env, 'WECHAT_VIRTUAL_ENV', '0', ['0', '1']) === '1' ? 1 : 0,
    appId: app.appId,
    appSecret: app.secret,
    baseUrl: app.baseUrl,
  }
}

/** @throws StartError naming the first bad or missing variable; keys are never printed */
export function parsePaySettings(env: Env): PaySettings {
  const app = mini(env)
  const settings: PaySettings = {
    ios: oneOf(env, 'IOS_PAY', 'OFF', iosPayModes),
    wechat: wechat(env),
    alipay: alipay(env),
    mini: app,
    virtual: virtual(env, app),
  }
  if (settings.wechat?.miniAppId && !app)
    throw new StartError('设置 WECHAT_MINI_SECRET 缺失：小程序内的微信支付需要用它换取付款人。')
  return settings
}
