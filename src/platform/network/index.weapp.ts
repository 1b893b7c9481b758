import type { Network } from './port'

let connected = true
wx.getNetworkType({
  success: (r) => {
    connected = r.networkType !== 'none'
  },
})
wx.onNetworkStatusChange((r) => {
  connected = r.isConnected
})

export const network: Network = {
  online: () => connected,
  onChange(listener) {
    const on = (r: { isConnected: boolean }) => listener(r.isConnected)
    wx.onNetworkStatusChange(on)
    return () => wx.offNetworkStatusChange(on)
  },
}
