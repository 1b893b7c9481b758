import Taro from '@tarojs/taro'
import { errorLog } from '@/platform/errorLog'
import type { Updates } from './port'

export const updates: Updates = {
  // the host has downloaded it, or does so at the next cold start
  get: () => Taro.getUpdateManager().applyUpdate(),
  onReady(ready) {
    const manager = Taro.getUpdateManager()
    manager.onUpdateReady(() => {
      void ready().then((now) => now && manager.applyUpdate())
    })
    // the host tries again at the next cold start
    manager.onUpdateFailed(() => errorLog.write('warn', 'update failed', {}))
  },
}
