import { View } from '@tarojs/components'
import './BelowFoldPlaceholder.scss'

/** Stands where the rest of home will: without it the page is shorter than the screen, and what was scrolled to is lost. */
export const BelowFoldPlaceholder = () => <View className='home-rest-space' />
