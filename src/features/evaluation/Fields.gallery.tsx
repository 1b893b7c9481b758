import { View } from '@tarojs/components'
import { useState } from 'react'
import type { GradedTag, Option, RosterRow } from '@/contract/form/types'
import { Field } from '@/ui/Field/Field'
import type { Gallery } from '@/ui/gallery'
import { Switch } from '@/ui/Switch/Switch'
import { CascaderPicker } from './fill/fields/CascaderPicker'
import { ChipSelect } from './fill/fields/ChipSelect'
import { GradedTagPicker } from './fill/fields/GradedTagPicker'
import { MultiSelect } from './fill/fields/MultiSelect'
import { NumberInput } from './fill/fields/NumberInput'
import { RosterPicker } from './fill/fields/RosterPicker'
import { SheetSelect } from './fill/fields/SheetSelect'
import { TagPicker } from './fill/fields/TagPicker'

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
      <Field label='可二次实名' help='换绑后能否改实名' inline>
        <Switch name='可二次实名' value={bound} onChange={setBound} />
      </Field>
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

const gallery: Gallery = {
  title: '游戏表单的字段',
  states: [
    { name: '数字', render: () => <Numbers /> },
    { name: '选择', render: () => <Choices /> },
    { name: '词典', render: () => <Pickers /> },
  ],
}

export default gallery
