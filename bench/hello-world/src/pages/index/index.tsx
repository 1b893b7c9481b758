import { View } from '@tarojs/components'
import { navigateTo } from '@tarojs/taro'

/** One line that opens another page: its class is the one that the benchmark taps on home. */
export default function Index() {
  return (
    <View className='home-game__name' onClick={() => void navigateTo({ url: '/pages/login/index' })}>
      Hello world
    </View>
  )
}
