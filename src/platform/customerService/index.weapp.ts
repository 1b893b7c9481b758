import type { CustomerService } from './port'

export const customerService: CustomerService = {
  available: () => typeof wx.openCustomerServiceChat === 'function',
  open: (url, corpId) =>
    new Promise((resolve) => {
      wx.openCustomerServiceChat({
        extInfo: { url },
        corpId,
        success: () => resolve(true),
        fail: () => resolve(false),
      })
    }),
}
