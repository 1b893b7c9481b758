import { View } from '@tarojs/components'
import type { Gallery } from '@/ui/gallery'
import { Consent } from './Consent'
import '@/ui/gallery.scss'
import './consentGallery.scss'

const nothing = () => undefined

const gallery: Gallery = {
  title: '首次打开',
  states: [
    {
      name: '隐私政策',
      render: () => (
        <View className='g-consent'>
          <Consent onAnswer={nothing} onRead={nothing} />
        </View>
      ),
    },
    {
      name: '微信在等',
      render: () => (
        <View className='g-consent'>
          <Consent waiting onAnswer={nothing} onRead={nothing} />
        </View>
      ),
    },
  ],
}

export default gallery
