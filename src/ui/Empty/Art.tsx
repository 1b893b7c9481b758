import { View } from '@tarojs/components'
import './Art.scss'

export type ArtName = 'box' | 'search' | 'report' | 'signal'

/** Small line drawings for the states without content; they follow light and dark like text does. */
export function Art({ name }: { name: ArtName }) {
  return (
    <View className='ui-art'>
      <View className={`ui-art__line ui-art__line--${name}`} />
      <View className={`ui-art__spot ui-art__spot--${name}`} />
    </View>
  )
}
