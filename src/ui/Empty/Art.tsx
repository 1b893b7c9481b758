import { View } from '@tarojs/components'
import './Art.scss'

export type ArtName = 'box' | 'search' | 'report' | 'signal'

/** Line drawings for empty states; their colours follow the theme. */
export function Art({ name }: { name: ArtName }) {
  return (
    <View className='ui-art'>
      <View className={`ui-art__line ui-art__line--${name}`} />
      <View className={`ui-art__spot ui-art__spot--${name}`} />
    </View>
  )
}
