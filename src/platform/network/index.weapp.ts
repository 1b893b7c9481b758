import Taro from '@tarojs/taro'
import type { Network } from './port'

let connected = true
Taro.getNetworkType().then(
  ({ networkType }) => {
    connected = networkType !== 'none'
  },
  () => undefined,
)
Taro.onNetworkStatusChange(({ isConnected }) => {
  connected = isConnected
})

export const network: Network = {
  online: () => connected,
  onChange(listener) {
    const on = ({ isConnected }: { isConnected: boolean }) => listener(isConnected)
    Taro.onNetworkStatusChange(on)
    return () => Taro.offNetworkStatusChange(on)
  },
}
