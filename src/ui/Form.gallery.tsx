import { View } from '@tarojs/components'
import { useState } from 'react'
import { Checkbox, TextLink } from './Checkbox/Checkbox'
import type { Gallery } from './gallery'
import { ImagePicker, type ImageTile } from './ImagePicker/ImagePicker'
import { TextArea } from './TextArea/TextArea'
import { TextInput } from './TextInput/TextInput'

function Texts() {
  const [id, setId] = useState('')
  const [pwd, setPwd] = useState('s3cret')
  const [note, setNote] = useState('账号一直自己玩，没有借过人。')
  return (
    <View>
      <TextInput
        label='营地 ID'
        required
        help='在王者营地 - 我的 - 设置里查看'
        placeholder='6–12 位数字'
        keyboard='tel'
        value={id}
        onChange={setId}
      />
      <TextInput label='营地 ID' required value='12ab' onChange={setId} error='营地 ID格式不对' />
      <TextInput label='密码' password value={pwd} onChange={setPwd} />
      <TextInput label='手机号' keyboard='tel' value='138 0000 0000' onChange={setId} disabled />
      <TextArea label='补充说明' value={note} onChange={setNote} maxLength={200} />
    </View>
  )
}

function Agreement() {
  const [agreed, setAgreed] = useState(false)
  return (
    <View>
      <Checkbox name='我已阅读并同意用户协议和隐私政策' value={agreed} onChange={setAgreed}>
        我已阅读并同意<TextLink onClick={() => undefined}>《用户协议》</TextLink>和
        <TextLink onClick={() => undefined}>《隐私政策》</TextLink>
      </Checkbox>
    </View>
  )
}

const shot = (colour: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns='http://www.w3.org/2000/svg' width='90' height='160'><rect width='90' height='160' fill='${colour}'/></svg>`)}`
const shots: ImageTile[] = [
  { id: 'a', src: shot('#7a9cc6'), state: 'done', percent: 100 },
  { id: 'b', src: undefined, state: 'done', percent: 100 },
  { id: 'c', src: shot('#c69c7a'), state: 'busy', percent: 0 },
  { id: 'd', src: shot('#9cc67a'), state: 'busy', percent: 45 },
  { id: 'e', src: shot('#333'), state: 'failed', percent: 0, reason: '上传失败', again: true },
  { id: 'f', src: shot('#333'), state: 'failed', percent: 0, reason: '不是 jpg、png 或 webp 图片' },
]
const still = () => undefined
const hands = { onAdd: still, onRemove: still, onAgain: still, onView: still }

/** Empty, with pictures in every state, full, and with an error. */
function Images() {
  const full = shots.slice(0, 2)
  return (
    <View>
      <ImagePicker label='账号截图' help='背包、皮肤和段位页面各一张' items={[]} max={9} {...hands} />
      <ImagePicker label='账号截图' items={shots} max={9} {...hands} />
      <ImagePicker label='账号截图（已满）' items={full} max={2} {...hands} />
      <ImagePicker label='账号截图' required items={[]} max={9} error='请添加账号截图' {...hands} />
    </View>
  )
}

const gallery: Gallery = {
  title: '表单',
  states: [
    { name: '文字', render: () => <Texts /> },
    { name: '图片', render: () => <Images /> },
    { name: '同意', render: () => <Agreement /> },
  ],
}

export default gallery
