import { View } from '@tarojs/components'
import { useState } from 'react'
import type { GradedTag, Option, RosterRow } from '@/contract/form/types'
import { CascaderPicker } from './CascaderPicker/CascaderPicker'
import { Checkbox, TextLink } from './Checkbox/Checkbox'
import { ChipSelect } from './ChipSelect/ChipSelect'
import { CodeInput } from './CodeInput/CodeInput'
import { GradedTagPicker } from './GradedTagPicker/GradedTagPicker'
import type { Gallery } from './gallery'
import { ImagePicker, type ImageTile } from './ImagePicker/ImagePicker'
import { MultiSelect } from './MultiSelect/MultiSelect'
import { NumberInput } from './NumberInput/NumberInput'
import { RosterPicker } from './RosterPicker/RosterPicker'
import { SheetSelect } from './SheetSelect/SheetSelect'
import { SwitchField } from './Switch/Switch'
import { TagPicker } from './TagPicker/TagPicker'
import { TextArea } from './TextArea/TextArea'
import { TextInput } from './TextInput/TextInput'

const list = (...names: string[]): Option[] => names.map((t) => ({ v: t, t }))
const servers = list('安卓QQ', '安卓微信', '苹果QQ', '苹果微信')
const ranks = list('倔强青铜', '秩序白银', '荣耀黄金', '尊贵铂金', '永恒钻石', '至尊星耀', '最强王者', '荣耀王者')
const skins: Option[] = [
  { v: 'a', t: '武则天·倪克斯神谕', group: '法师', k: 'wuzetiannikesishenyu nikesishenyu wztnkssy' },
  { v: 'b', t: '小乔·天鹅之梦', group: '法师', k: 'xiaoqiaotianezhimeng tianezhimeng xqtezm' },
  { v: 'c', t: '李白·鸣剑曳影', group: '刺客', k: 'libaimingjianyeying mingjianyeying lbmjyy' },
  { v: 'd', t: '韩信·白龙吟', group: '刺客', k: 'hanxinbailongyin bailongyin hxbly' },
  { v: 'e', t: '虞姬·启明星使', group: '射手', k: 'yujiqimingxingshi qimingxingshi yjqmxs' },
]
const tree: Option[] = [
  { v: 'star', t: '至尊星耀', children: list('Ⅴ', 'Ⅳ', 'Ⅲ', 'Ⅱ', 'Ⅰ') },
  { v: 'king', t: '最强王者' },
  { v: 'glory', t: '荣耀王者' },
]

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

function Numbers() {
  const [skinCount, setSkins] = useState<number | string | undefined>(268)
  const [vip, setVip] = useState<number | string | undefined>(8)
  const [assets, setAssets] = useState<number | string | undefined>(86.5)
  return (
    <View>
      <NumberInput
        label='皮肤数'
        required
        max={1500}
        min={0}
        value={skinCount}
        onChange={setSkins}
        warning='各级皮肤之和比皮肤数还多，请核对'
      />
      <NumberInput label='贵族等级' required min={0} max={10} value={vip} onChange={setVip} />
      <NumberInput label='总资产' unit='M' scale={1} max={99999} value={assets} onChange={setAssets} />
      <NumberInput label='英雄数' min={0} max={130} value={900} onChange={setSkins} error='英雄数需在 0–130 之间' />
    </View>
  )
}

function Choices() {
  const [server, setServer] = useState<string | undefined>('安卓微信')
  const [rank, setRank] = useState<string | undefined>()
  const [path, setPath] = useState<string[]>(['star', 'Ⅱ'])
  const [marks, setMarks] = useState<string[]>(['国标'])
  const [bound, setBound] = useState(true)
  return (
    <View>
      <ChipSelect label='区服' required options={servers} value={server} onChange={setServer} />
      <SheetSelect label='段位' options={ranks} value={rank} onChange={setRank} error='请选择段位' required />
      <CascaderPicker label='当前段位' options={tree} value={path} onChange={setPath} />
      <MultiSelect
        label='荣誉'
        options={list('国标', '省标', '市标', '区标')}
        value={marks}
        onChange={setMarks}
        maxItems={2}
      />
      <SwitchField label='可二次实名' help='换绑后能否改实名' value={bound} onChange={setBound} />
    </View>
  )
}

function Pickers() {
  const [tags, setTags] = useState(['a', 'c'])
  const [graded, setGraded] = useState<GradedTag[]>([
    { v: 'b', g: '极品A' },
    { v: 'e', g: '' },
  ])
  const [roster, setRoster] = useState<RosterRow[]>([
    { v: 'a', dup: 2, sig: true, refine: 1 },
    { v: 'd', dup: 0 },
  ])
  return (
    <View>
      <TagPicker label='稀有皮肤' options={skins} value={tags} onChange={setTags} maxItems={4} />
      <GradedTagPicker
        label='典藏武器（含品质）'
        grades={['极品S', '极品A', '极品B', '极品C']}
        options={skins}
        value={graded}
        onChange={setGraded}
      />
      <RosterPicker
        label='五星角色与命座'
        required
        options={skins}
        rules={{ dup: [0, 6], sig: true, refine: [1, 5] }}
        value={roster}
        onChange={setRoster}
      />
    </View>
  )
}

function Login() {
  const [code, setCode] = useState('428')
  const [agreed, setAgreed] = useState(false)
  return (
    <View>
      <CodeInput label='短信验证码' value={code} onChange={setCode} />
      <CodeInput label='短信验证码' value='000000' onChange={setCode} error='验证码不对或已过期，请重新获取' />
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
const hands = { onAdd: still, onRemove: still, onAgain: still, onMove: still, onView: still }

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
    { name: '数字', render: () => <Numbers /> },
    { name: '选择', render: () => <Choices /> },
    { name: '词典', render: () => <Pickers /> },
    { name: '图片', render: () => <Images /> },
    { name: '登录', render: () => <Login /> },
  ],
}

export default gallery
