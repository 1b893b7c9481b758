import Taro from '@tarojs/taro'
import type { Subscribe } from './port'

/** Template ids from WeChat's console, inserted by the build; at most three can be requested at once. */
const templates = SUBSCRIBE_TEMPLATES.split(',').filter(Boolean).slice(0, 3)

export const subscribe: Subscribe = {
  available: () => templates.length > 0,
  request: () =>
    Taro.requestSubscribeMessage(
      // Taro's type also requires options that only Alipay has
      { tmplIds: templates } as Taro.requestSubscribeMessage.Option,
    ).then(
      (answers) =>
        templates.some((id) => (answers as Taro.requestSubscribeMessage.SuccessCallbackResult)[id] === 'accept'),
      () => false,
    ),
}
