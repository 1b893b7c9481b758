import '@tarojs/taro'

declare module '@tarojs/taro' {
  interface TaroStatic {
    /** WeChat's, since 8.0.68; missing in Taro's declarations */
    requestVirtualPayment(option: Record<'success' | 'fail', (r: TaroGeneral.CallbackResult) => void>): void
  }
}

declare global {
  /** What a call of WeChat's own object is given. */
  interface WxCall {
    [option: string]: unknown
    title: string
    content: string
    confirmText: string
    cancelText: string
    data: string
    url: string
    filePath: string
    success(result?: object): void
    fail(why?: object): void
  }
  /** WeChat's own object, for which tests of the mini-program stand in. The app calls it by way of Taro. */
  const wx: Record<string, (call: WxCall) => unknown>
}
