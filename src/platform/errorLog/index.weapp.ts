import type { ErrorLog } from './port'

export const errorLog: ErrorLog = {
  onUncaught(listener) {
    wx.onError((reason) => listener({ kind: 'error', reason }))
    wx.onUnhandledRejection(({ reason }) => listener({ kind: 'rejection', reason }))
  },
  write(level, event, facts) {
    const log = wx.getRealtimeLogManager()
    log.setFilterMsg(event)
    log[level](event, JSON.stringify(facts))
  },
}
