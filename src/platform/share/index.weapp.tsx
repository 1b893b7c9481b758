import { Button } from '@tarojs/components'
import type { HostShare, Share } from './port'
import './share.scss'

export const share: Share = {
  way: () => 'host',
  menu: () => false,
  link: () => undefined,
  open: async () => false,
}

export const ShareOver: HostShare = () => <Button className='pf-share' openType='share' />
