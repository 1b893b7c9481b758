import { menu } from './menu'
import type { Share, ShareControl } from './port'

const inWechat = () => /MicroMessenger/i.test(navigator.userAgent)

export const share: Share = {
  // WeChat's browser has the function but rejects every call
  method: () => (typeof navigator.share === 'function' && !inWechat() ? 'system' : 'copy'),
  menu: () => menu.configured,
  link: (path) => location.origin + path,
  async open(data) {
    try {
      await navigator.share(data)
      return true
    } catch {
      return false
    }
  },
}

export const HostShareButton: ShareControl = () => null
