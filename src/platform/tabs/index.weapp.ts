import { switchTab as switchHostTab } from '@tarojs/taro'
import type { SwitchTab } from './port'

export const switchTab: SwitchTab = (url) => switchHostTab({ url })
