import { View } from '@tarojs/components'

/**
 * The file a mini-program with `tabBar.custom` demands. It has height 0 (spec §2): every tab page draws
 * `ui/TabBar` itself, so there is no second instance to keep in step with the selected tab.
 */
export default function CustomTabBar() {
  return <View style={{ height: 0, display: 'none' }} />
}
