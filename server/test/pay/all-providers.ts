import { generateKeyPairSync } from 'node:crypto'
import { wechatEnv } from './wechat-stub'

export const PUSH_TOKEN = 'push-token-of-the-app'

export const alipayKeys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

/** Settings with every payment provider. @param payUrl stands for WeChat Pay @param apiUrl for WeChat's API */
export const allProvidersEnv = (payUrl: string, apiUrl: string) => ({
  ...wechatEnv(payUrl),
  ALIPAY_APP_ID: '2021000122671080',
  ALIPAY_PRIVATE_KEY: alipayKeys.privateKey,
  ALIPAY_PUBLIC_KEY: alipayKeys.publicKey,
  WECHAT_MINI_APPID: 'wxmini0000000001',
  WECHAT_MINI_SECRET: 'mini-secret',
  IOS_PAY: 'VIRTUAL',
  WECHAT_VIRTUAL_OFFER_ID: '1450000001',
  WECHAT_VIRTUAL_APP_KEY: 'virtual-app-key',
  WECHAT_VIRTUAL_PUSH_TOKEN: PUSH_TOKEN,
  WECHAT_VIRTUAL_PRODUCTS: '390=report',
  WECHAT_API_BASE_URL: apiUrl,
})
