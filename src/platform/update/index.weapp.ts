import Taro from '@tarojs/taro'
import type { Updates } from './port'

export const updates: Updates = {
  // the host has downloaded it, or does so at the next cold start
  get: () => Taro.getUpdateManager().applyUpdate(),
  onReady(ready) {
    const manager = Taro.getUpdateManager()
    manager.onUpdateReady(() => {
      void ready().then((now) => now && manager.applyUpdate())
    })
  },
}
