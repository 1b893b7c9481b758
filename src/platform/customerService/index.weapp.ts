import Taro from '@tarojs/taro'
import type { CustomerService } from './port'

export const customerService: CustomerService = {
  available: () => Taro.canIUse('openCustomerServiceChat'),
  open: (url, corpId) =>
    Taro.openCustomerServiceChat({ extInfo: { url }, corpId }).then(
      () => true,
      () => false,
    ),
}
