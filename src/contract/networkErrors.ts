/**
 * Failures without a response (spec §8), separate from the other errors because a first visit to h5 needs only these.
 */

/** Codes of the runtime's network failures. An abort is not shown: the page that sent the request is gone. */
export const networkErrors = {
  5: { text: '网络连接超时，请点击屏幕重试', shown: true },
  600003: { text: '请求已中断', shown: false },
  602001: { text: '上传或下载失败，请检查网络后重试', shown: true },
} as const

/** Text shown instead if the runtime gives a reason. `retry`: a retry may help, and is offered. */
export const networkReasons = {
  offline: { text: '网络未连接，请检查网络后点击屏幕重试', retry: true },
  unreachable: { text: '无法连接服务器，请点击屏幕重试', retry: true },
  timeout: { text: '网络连接超时，请点击屏幕重试', retry: true },
  domain: { text: '服务器域名未加入小程序的合法域名，请联系客服', retry: false },
} as const
