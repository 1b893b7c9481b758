import type { Gallery } from '@/ui/gallery'
import { copy } from './copy'
import { Brand, SafetyNote } from './parts/Brand'
import { SmsForm } from './parts/SmsForm'

const gallery: Gallery = {
  title: '登录',
  states: [
    { name: '头部', render: () => <Brand title={copy.welcome} note={copy.why} /> },
    { name: '手机号与验证码', render: () => <SmsForm redirect={undefined} /> },
    { name: '安全提示', render: () => <SafetyNote /> },
  ],
}

export default gallery
