import Taro from '@tarojs/taro'
import type { ErrorLog } from './port'

export const errorLog: ErrorLog = {
  onUncaught(listener) {
    Taro.onError((reason) => listener({ kind: 'error', reason }))
    Taro.onUnhandledRejection(({ reason }) => listener({ kind: 'rejection', reason }))
  },
  write(level, event, fields) {
    const log = Taro.getRealtimeLogManager()
    log.setFilterMsg(event)
    log[level](event, JSON.stringify(fields))
  },
}
