import { View } from '@tarojs/components'
import { useState } from 'react'
import { ActionBar } from '../ActionBar/ActionBar'
import type { Gallery } from '../gallery'
import '../gallery.scss'
import { NavBar } from '../NavBar/NavBar'
import { Price } from '../Price/Price'
import { TabBar, type TabIndex } from '../TabBar/TabBar'

const nothing = () => undefined
const h5 = { statusBar: 0, bottom: 0 }
const capsule = { statusBar: 20, bottom: 0, capsule: { top: 26, height: 32, fromRight: 97 } }

function Tabs() {
  const [selected, select] = useState<TabIndex>(0)
  return (
    <View className='g-frame'>
      <TabBar selected={selected} onSelect={select} />
    </View>
  )
}

const gallery: Gallery = {
  title: '页面框架',
  states: [
    {
      name: '标题栏',
      render: () => (
        <View>
          <View className='g-frame'>
            <NavBar title='填写账号信息' frame={h5} onBack={nothing} />
          </View>
          <View className='g-frame'>
            <NavBar title='估价报告' frame={h5} home='/' />
          </View>
          <View className='g-frame'>
            <NavBar title='一个长得放不下所以会被截断的标题' frame={capsule} onBack={nothing} />
          </View>
        </View>
      ),
    },
    { name: '标签栏', render: () => <Tabs /> },
    {
      name: '操作栏',
      render: () => (
        <View>
          <View className='g-frame'>
            <ActionBar primary={{ text: '提交估价', onClick: nothing }} note='今天还可免费估价 2 次' />
          </View>
          <View className='g-frame'>
            <ActionBar
              primary={{ text: '解锁完整报告', onClick: nothing }}
              secondary={{ text: '分享', icon: 'share', onClick: nothing }}
            />
          </View>
          <View className='g-frame'>
            <ActionBar
              lead={<Price fen={1990} kind='paid' size='l' />}
              primary={{ text: '提交订单', disabled: true }}
              note='请先勾选服务协议'
            />
          </View>
        </View>
      ),
    },
  ],
}

export default gallery
