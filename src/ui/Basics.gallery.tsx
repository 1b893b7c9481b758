import { View } from '@tarojs/components'
import { useState } from 'react'
import { Button } from './Button/Button'
import { Chip } from './Chip/Chip'
import { GameTile } from './GameTile/GameTile'
import type { Gallery } from './gallery'
import { Icon } from './Icon/Icon'
import { iconNames } from './Icon/names'
import { Price } from './Price/Price'
import { Tag } from './Tag/Tag'
import './gallery.scss'

const kinds = ['primary', 'secondary', 'ghost', 'danger', 'celebrate'] as const
const words = {
  primary: '提交估价',
  secondary: '保存',
  ghost: '查看全部',
  danger: '注销账号',
  celebrate: '人工估价',
}

function Buttons() {
  const [busy, setBusy] = useState(true)
  return (
    <View className='g-wrap'>
      {kinds.map((kind) => (
        <View key={kind} className='g-item'>
          <Button kind={kind}>{words[kind]}</Button>
        </View>
      ))}
      <View className='g-item'>
        <Button loading={busy} onClick={() => setBusy(false)}>
          提交中
        </Button>
      </View>
      <View className='g-item'>
        <Button disabled>请先填写必填项</Button>
      </View>
      <View className='g-item'>
        <Button size='s' kind='secondary' icon='copy'>
          复制
        </Button>
      </View>
      <View className='g-item'>
        <Button size='s'>去使用</Button>
      </View>
      <View className='g-full'>
        <Button block size='l' icon='chart'>
          开始估价
        </Button>
      </View>
    </View>
  )
}

function Chips() {
  const [on, setOn] = useState('安卓QQ')
  return (
    <View className='g-wrap'>
      {['安卓QQ', '安卓微信', '苹果QQ', '苹果微信'].map((t) => (
        <View key={t} className='g-item'>
          <Chip role='radio' selected={t === on} onClick={() => setOn(t)}>
            {t}
          </Chip>
        </View>
      ))}
      <View className='g-item'>
        <Chip selected removable label='移除 武则天·倪克斯神谕'>
          武则天·倪克斯神谕
        </Chip>
      </View>
      <View className='g-item'>
        <Chip disabled>暂不支持</Chip>
      </View>
    </View>
  )
}

const games = [
  ['hok', '王者荣耀'],
  ['pubgm', '和平精英'],
  ['delta', '三角洲行动'],
  ['ys', '原神'],
  ['hsr', '崩坏：星穹铁道'],
  ['lolm', '英雄联盟手游'],
  ['naraka', '永劫无间'],
  ['val', '无畏契约'],
] as const

/** tokens.scss, by what they are for */
const colours = [
  ['bg', 'card', 'sunken', 'raised', 'line', 'line-strong', 'bone', 'shadow'],
  ['text', 'text-2', 'hint', 'ghost'],
  ['blue', 'blue-text', 'blue-soft', 'blue-line'],
  ['pink', 'pink-text', 'pink-soft', 'pink-line'],
  ['ok', 'ok-soft', 'warn', 'warn-soft', 'bad', 'bad-soft', 'price-gradient', 'mask'],
].flat()

function Palette() {
  return (
    <View className='g-grid4'>
      {colours.map((token) => (
        <View key={token} className='g-cell'>
          <View
            className='g-colour'
            style={token === 'shadow' ? { boxShadow: 'var(--shadow)' } : { background: `var(--${token})` }}
          />
          <View className='g-caption'>{token}</View>
        </View>
      ))}
    </View>
  )
}

const gallery: Gallery = {
  title: '基础',
  states: [
    {
      name: '标志',
      render: () => (
        <View className='g-wrap'>
          {['', ' g-mark--plain', ' g-mark--s'].map((look) => (
            <View key={look} className='g-item'>
              <View className={`g-mark${look}`} />
            </View>
          ))}
        </View>
      ),
    },
    { name: '颜色', render: () => <Palette /> },
    { name: '按钮', render: () => <Buttons /> },
    { name: '选择片', render: () => <Chips /> },
    {
      name: '标签',
      render: () => (
        <View className='g-wrap'>
          {(['plain', 'blue', 'pink', 'ok', 'warn', 'bad'] as const).map((tone, i) => (
            <View key={tone} className='g-item'>
              <Tag tone={tone} icon={tone === 'ok' ? 'check' : tone === 'warn' ? 'clock' : undefined}>
                {['草稿', 'AI 估价', '人工估价', '已完成', '3 天后过期', '未通过'][i]}
              </Tag>
            </View>
          ))}
        </View>
      ),
    },
    {
      name: '价格',
      render: () => (
        <View className='g-wrap g-base'>
          {(['s', 'm', 'l', 'xl'] as const).map((size) => (
            <View key={size} className='g-item'>
              <Price fen={232269} size={size} />
            </View>
          ))}
          <View className='g-item'>
            <Price fen={1990} kind='paid' />
          </View>
          <View className='g-item'>
            <Price fen={0} kind='paid' />
          </View>
          <View className='g-item'>
            <Price fen={12345678} size='l' />
          </View>
        </View>
      ),
    },
    {
      name: '游戏标识',
      render: () => (
        <View className='g-grid4'>
          {games.map(([id, name]) => (
            <View key={id} className='g-cell'>
              <GameTile gameId={id} size='l' />
              <View className='g-caption'>{name}</View>
            </View>
          ))}
        </View>
      ),
    },
    {
      name: '图标',
      render: () => (
        <View className='g-grid4'>
          {iconNames.map((name) => (
            <View key={name} className='g-cell'>
              <Icon name={name} size='l' />
              <View className='g-caption'>{name}</View>
            </View>
          ))}
        </View>
      ),
    },
  ],
}

export default gallery
