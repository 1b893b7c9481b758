import { View } from '@tarojs/components'
import { useState } from 'react'
import { imagePreview } from '@/platform/imagePreview'
import { Card } from './Card/Card'
import { Cell } from './Cell/Cell'
import { GameTile } from './GameTile/GameTile'
import type { Gallery } from './gallery'
import { Notice } from './Notice/Notice'
import { Price } from './Price/Price'
import { PriceRangeBar } from './PriceRangeBar/PriceRangeBar'
import { Progress } from './Progress/Progress'
import { SearchBar } from './SearchBar/SearchBar'
import { Steps } from './Steps/Steps'
import { Tag } from './Tag/Tag'
import { usePress } from './usePress'
import './gallery.scss'

const nothing = () => undefined
const small = { predictFen: 232269, lowFen: 193000, highFen: 279000, quickFen: 198000, listFen: 256000 }

function Search() {
  const [empty, setEmpty] = useState('')
  const [word, setWord] = useState('wz')
  return (
    <View>
      <SearchBar value={empty} onChange={setEmpty} placeholder='搜索名称、拼音或首字母' />
      <View style={{ height: '8px' }} />
      <SearchBar value={word} onChange={setWord} placeholder='搜索游戏' />
    </View>
  )
}

const svg = (colour: string, width: number, height: number) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}'><rect width='100%' height='100%' fill='${colour}'/><circle cx='50%' cy='50%' r='80' fill='#fff'/></svg>`,
  )}`
const pictures = [svg('#2456f0', 750, 1000), svg('#db2777', 1200, 600)]

/** Long press and picture preview, for manual tests. */
function Fingers() {
  const [presses, setPresses] = useState(0)
  const { touch, wasLong } = usePress(() => setPresses((n) => n + 1))
  return (
    <Card flush>
      <Cell title='看大图' note='双指 1–4 倍，双击放大' onClick={() => imagePreview.open(pictures)} />
      <View {...touch} onClick={() => wasLong() || setPresses(0)}>
        <Cell title='长按 350 毫秒' note='轻点清零' value={`${presses} 次`} />
      </View>
    </Card>
  )
}

const gallery: Gallery = {
  title: '容器与列表',
  states: [
    { name: '手势', render: () => <Fingers /> },
    {
      name: '列表行',
      render: () => (
        <View className='g-bleed'>
          <Card flush title='账号与安全'>
            <Cell icon='ticket' title='优惠券' value='2 张' onClick={nothing} />
            <Cell icon='bell' title='消息' value={<Tag tone='bad'>3 条未读</Tag>} onClick={nothing} />
            <Cell title='版本' value='2.0.4' />
            <Cell icon='logout' title='注销账号' note='7 天内可以撤回' danger onClick={nothing} />
          </Card>
        </View>
      ),
    },
    {
      name: '估价记录卡',
      render: () => (
        <View className='g-bleed'>
          <Card flush>
            <Cell
              lead={<GameTile gameId='hok' />}
              title='王者荣耀 · 安卓微信'
              note='今天 10:24'
              value={<Price fen={232269} />}
            />
            <View style={{ padding: '4px 16px 12px' }}>
              <PriceRangeBar price={small} />
            </View>
          </Card>
        </View>
      ),
    },
    { name: '搜索', render: () => <Search /> },
    { name: '进度', render: () => <Progress done={8} total={12} label='已填' /> },
    {
      name: '步骤：说明',
      render: () => (
        <Steps
          items={[
            { title: '选择游戏', note: '8 款热门手游' },
            { title: '填写账号信息', note: '选项为主，草稿自动保存' },
            { title: '查看估价报告', note: '价格、区间与依据一次看清' },
          ]}
        />
      ),
    },
    {
      name: '步骤：进行中',
      render: () => (
        <Steps
          current={1}
          items={[{ title: '扫码' }, { title: '读取', note: '正在读取英雄与皮肤列表' }, { title: '估价' }]}
        />
      ),
    },
    {
      name: '提示条',
      render: () => (
        <View className='g-bleed'>
          <Notice icon='offline' tone='warn' text='网络已断开，内容可能不是最新' />
          <Notice text='已恢复 10:24 保存的草稿' action={{ text: '重新填写', onClick: nothing }} />
          <Notice tone='ok' text='已通过实名认证' />
          <Notice tone='bad' text='王者荣耀正在维护，暂时不能提交' />
        </View>
      ),
    },
  ],
}

export default gallery
