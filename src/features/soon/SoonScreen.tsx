import { Text, View } from '@tarojs/components'

export function SoonScreen() {
  return (
    <View>
      <Text>这个页面正在准备，很快开放</Text>
    </View>
  )
}
