import { View } from '@tarojs/components'
import { useState } from 'react'
import type { Gallery } from '@/ui/gallery'
import { copy } from './copy'
import { Brand, SafetyNote } from './parts/Brand'
import { CodeInput } from './parts/CodeInput'
import { SmsForm } from './parts/SmsForm'

function Codes() {
  const [code, setCode] = useState('428')
  return (
    <View>
      <CodeInput label='短信验证码' value={code} onChange={setCode} />
      <CodeInput label='短信验证码' value='000000' onChange={setCode} error='验证码不对或已过期，请重新获取' />
    </View>
  )
}

const gallery: Gallery = {
  title: '登录',
  states: [
    { name: '头部', render: () => <Brand title={copy.welcome} note={copy.why} /> },
    { name: '手机号与验证码', render: () => <SmsForm redirect={undefined} /> },
    { name: '短信验证码', render: () => <Codes /> },
    { name: '安全提示', render: () => <SafetyNote /> },
  ],
}

export default gallery
