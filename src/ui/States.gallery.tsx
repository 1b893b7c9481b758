import { View } from '@tarojs/components'
import { useState } from 'react'
import { Card } from './Card/Card'
import { Cell } from './Cell/Cell'
import { Empty } from './Empty/Empty'
import { ErrorBlock } from './ErrorBlock/ErrorBlock'
import type { Gallery } from './gallery'
import { List, type PagingState } from './List/List'
import { SkeletonRows } from './Skeleton/Skeleton'
import { SkeletonForm, SkeletonReport } from './Skeleton/SkeletonPages'
import './gallery.scss'

const nothing = () => undefined

function Paged({ start }: { start: PagingState }) {
  const [more, setMore] = useState(start)
  return (
    <View className='g-bleed'>
      <List
        load={{ data: ['王者荣耀', '原神'], loading: false, reload: nothing }}
        keyOf={(name) => name}
        empty={null}
        more={more}
        onMore={() => setMore('end')}
      >
        {(name) => (
          <Card flush>
            <Cell title={name} />
          </Card>
        )}
      </List>
    </View>
  )
}

const gallery: Gallery = {
  title: '状态',
  states: [
    { name: '空', render: () => <Empty text='还没有估价记录' action={{ text: '去估价', onClick: nothing }} /> },
    {
      name: '没有搜到',
      render: () => (
        <Empty
          art='search'
          text='没找到你的游戏'
          note='可以把名字提交给我们'
          action={{ text: '提交游戏', onClick: nothing }}
        />
      ),
    },
    { name: '办好了', render: () => <Empty art='done' text='已收到' /> },
    { name: '受到保护', render: () => <Empty art='shield' text='资料只用于估价' /> },
    { name: '没有报告', render: () => <Empty art='report' text='报告生成后会出现在这里' /> },
    { name: '出错', render: () => <ErrorBlock reason='服务器没有响应' requestId='r-8f3k2m' onRetry={nothing} /> },
    { name: '列表翻页', render: () => <Paged start='idle' /> },
    { name: '列表：正在加载', render: () => <Paged start='loading' /> },
    {
      name: '骨架：列表',
      render: () => (
        <View className='g-bleed'>
          <SkeletonRows rows={3} />
        </View>
      ),
    },
    {
      name: '骨架：表单',
      render: () => (
        <View className='g-bleed'>
          <SkeletonForm fields={2} />
        </View>
      ),
    },
    {
      name: '骨架：报告',
      render: () => (
        <View className='g-bleed'>
          <SkeletonReport />
        </View>
      ),
    },
  ],
}

export default gallery
