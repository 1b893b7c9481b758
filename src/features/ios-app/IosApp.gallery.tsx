import type { Gallery } from '@/ui/gallery'
import { IosAppContent } from './IosAppScreen'

const gallery: Gallery = {
  title: 'iOS 首页',
  states: [
    { name: '不可购买', render: () => <IosAppContent loaded paymentsEnabled={false} manual={false} /> },
    { name: '可购买', render: () => <IosAppContent loaded paymentsEnabled manual /> },
  ],
}

export default gallery
