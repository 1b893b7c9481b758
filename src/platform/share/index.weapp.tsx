import { Button } from '@tarojs/components'
import type { Share, ShareControl } from './port'
import './cover.scss'

export const share: Share = {
  method: () => 'host',
  menu: () => false,
  link: () => undefined,
  open: async () => false,
}

export const HostShareButton: ShareControl = () => <Button className='pf-share' openType='share' />
