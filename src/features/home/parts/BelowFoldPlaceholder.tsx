import { View } from '@tarojs/components'
import './BelowFoldPlaceholder.scss'

/** Reserves space for the content below the first screen: a page shorter than the screen loses the scroll position. */
export const BelowFoldPlaceholder = () => <View className='home-rest-space' />
