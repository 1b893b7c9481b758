import type { Gallery } from '@/ui/gallery'
import { RealNameScreen } from './RealNameScreen'

const gallery: Gallery = {
  title: '账号',
  states: [{ name: '实名认证', render: () => <RealNameScreen params={{}} /> }],
}

export default gallery
