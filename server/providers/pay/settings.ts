import { createPrivateKey, createPublicKey } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { baseUrl, type Env, invalidSetting, oneOf, text, together } from '../../core/env'
import { StartError } from '../../core/start-error'
import type { WechatLoginSettings } from '../wechat/settings'

export type WechatSettings = NonNullable<ReturnType<typeof wechat>>
export type AlipaySettings = NonNullable<ReturnType<typeof alipay>>
export type VirtualSettings = NonNullable<ReturnType<typeof virtual>>
export type PaySettings = ReturnType<typeof parsePaySettings>

/** A key given as PEM text (with `\n` for line breaks), as the path of a file, or as bare base64 from Alipay's tool. */
function pemOf(given: string, label: string): string {
  const value = existsSync(given) ? readFileSync(given, 'utf8') : given.replaceAll('\\n', '\n')
  return value.includes('-----BEGIN') ? value : `-----BEGIN ${label}-----\n${value}\n-----END ${label}-----`
}

/** @returns PKCS#8 PEM */
function privateKey(name: string, given: string): string {
  try {
    // OpenSSL reads PKCS#8 under this label too
    const key = createPrivateKey(pemOf(given, 'RSA PRIVATE KEY'))
    return key.export({ type: 'pkcs8', format: 'pem' }).toString()
  } catch {
    return invalidSetting(name, 'RSA 私钥（PEM 文本、文件路径或 BASE64）', '（不显示）')
  }
}

/** @returns PEM of the public key, which may be given as a certificate */
function publicKey(name: string, given: string): string {
  try {
    const key = createPublicKey(pemOf(given, 'PUBLIC KEY'))
    return key.export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    return invalidSetting(name, 'RSA 公钥或证书（PEM 文本、文件路径或 BASE64）', '（不显示）')
  }
}

/** Comma-separated pairs with `=`, of which a pattern has the two parts. */
function pairsOf(name: string, given: string, pattern: RegExp, allowed: string): [string, string][] {
  return given.split(',').map((pair) => {
    const [, key, value] = pattern.exec(pair.trim()) ?? []
    return key && value ? [key, value] : invalidSetting(name, allowed, '（不显示）')
  })
}

/** `KEY_ID=path`, comma-separated. */
function platformKeys(given: string): Record<string, string> {
  const name = 'WECHAT_PAY_PLATFORM_KEYS'
  const pairs = pairsOf(
    name,
    given,
    /^([A-Za-z0-9_]{8,64})=([\s\S]+)$/,
    '逗号分隔的 公钥ID=公钥文件 或 证书序列号=证书文件',
  )
  return Object.fromEntries(pairs.map(([id, value]) => [id, publicKey(name, value)]))
}

/** WeChat Pay v3. */
function wechat(env: Env) {
  const given = together(env, {
    mchid: 'WECHAT_PAY_MCHID',
    serial: 'WECHAT_PAY_SERIAL',
    privateKey: 'WECHAT_PAY_PRIVATE_KEY',
    v3Key: 'WECHAT_PAY_V3_KEY',
    platformKeys: 'WECHAT_PAY_PLATFORM_KEYS',
  })
  if (!given) return undefined
  const { v3Key, mchid } = given
  if (Buffer.byteLength(v3Key) !== 32) invalidSetting('WECHAT_PAY_V3_KEY', ' 32 个字符', `${v3Key.length} 个字符`)
  if (!/^\d{8,10}$/.test(mchid)) invalidSetting('WECHAT_PAY_MCHID', ' 8 到 10 位数字', mchid)
  return {
    ...given,
    privateKey: privateKey('WECHAT_PAY_PRIVATE_KEY', given.privateKey),
    /** PEM by key id or serial of a certificate; the first is preferred */
    platformKeys: platformKeys(given.platformKeys),
    /** official account, for JSAPI and H5 */
    mpAppId: text(env, 'WECHAT_MP_APPID'),
    miniAppId: text(env, 'WECHAT_MINI_APPID'),
    baseUrl: baseUrl(env, 'WECHAT_PAY_BASE_URL', 'https://api.mch.weixin.qq.com'),
  }
}

function alipay(env: Env) {
  const given = together(env, {
    appId: 'ALIPAY_APP_ID',
    privateKey: 'ALIPAY_PRIVATE_KEY',
    publicKey: 'ALIPAY_PUBLIC_KEY',
  })
  return (
    given && {
      appId: given.appId,
      privateKey: privateKey('ALIPAY_PRIVATE_KEY', given.privateKey),
      /** Alipay's key, not the application's */
      publicKey: publicKey('ALIPAY_PUBLIC_KEY', given.publicKey),
      gateway: 'https://openapi.alipay.com/gateway.do',
    }
  )
}

/** Virtual payment of the mini-program. */
function virtual(env: Env, { mini, baseUrl }: WechatLoginSettings) {
  const given = together(env, {
    offerId: 'WECHAT_VIRTUAL_OFFER_ID',
    appKey: 'WECHAT_VIRTUAL_APP_KEY',
    pushToken: 'WECHAT_VIRTUAL_PUSH_TOKEN',
    products: 'WECHAT_VIRTUAL_PRODUCTS',
  })
  if (!given) return undefined
  if (!mini)
    throw new StartError('设置 WECHAT_MINI_APPID、WECHAT_MINI_SECRET 缺失：虚拟支付（WECHAT_VIRTUAL_*）需要它们。')
  const products = pairsOf(
    'WECHAT_VIRTUAL_PRODUCTS',
    given.products,
    /^(\d{3,8})=([\w-]{1,64})$/,
    '逗号分隔的 分=道具ID，至少 100 分',
  )
  return {
    ...given,
    /** price in fen → id of the product declared at that price; every price that may be charged needs one */
    products: Object.fromEntries(products),
    /** 1: WeChat's sandbox */
    env: Number(oneOf(env, 'WECHAT_VIRTUAL_ENV', '0', ['0', '1'])),
    ...{ app: mini, baseUrl },
  }
}

/** @throws StartError naming the first bad or missing variable; keys are never printed */
export function parsePaySettings(env: Env, wechatLogin: WechatLoginSettings) {
  const settings = {
    /** what the mini-program sells on iOS: nothing, through Apple, or as on other devices */
    ios: oneOf(env, 'IOS_PAY', 'OFF', ['OFF', 'VIRTUAL', 'NORMAL']),
    wechat: wechat(env),
    alipay: alipay(env),
    virtual: virtual(env, wechatLogin),
  }
  if (settings.wechat?.miniAppId && !wechatLogin.mini)
    throw new StartError('设置 WECHAT_MINI_SECRET 缺失：小程序内的微信支付需要用它换取付款人。')
  return settings
}
