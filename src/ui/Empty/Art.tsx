import { View } from '@tarojs/components'
import './Art.scss'

export type ArtName = 'box' | 'search' | 'report' | 'signal' | 'done' | 'shield'

/**
 * Line drawings in one style: empty, done, protected. Their colours follow the theme. Components
 * outside ui/Empty must import the styles from there.
 */
export function Illustration({ name }: { name: ArtName }) {
  return (
    <View className='ui-art'>
      <View className={`ui-art__line ui-art__line--${name}`} />
      <View className={`ui-art__spot ui-art__spot--${name}`} />
    </View>
  )
}
