import { View } from '@tarojs/components'
import './RestSpace.scss'

/** Stands where the rest of home will: without it the page is shorter than the screen, and what was scrolled to is lost. */
export const RestSpace = () => <View className='home-rest-space' />
