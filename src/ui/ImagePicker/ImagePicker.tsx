import { View } from '@tarojs/components'
import { useState } from 'react'
import { a11y } from '../a11y'
import { Button } from '../Button/Button'
import { cx } from '../cx'
import { Field, type FieldProps } from '../Field/Field'
import { Icon } from '../Icon/Icon'
import { Picture } from '../Picture/Picture'
import { Pressable } from '../Pressable/Pressable'
import { Sheet } from '../Sheet/Sheet'
import './ImagePicker.scss'

export interface ImageTile {
  id: string
  src: string | undefined
  state: 'done' | 'busy' | 'failed'
  percent: number
  reason?: string
  again?: boolean
}

interface Props extends Omit<FieldProps, 'children' | 'inline'> {
  items: readonly ImageTile[]
  max: number
  onAdd: () => void
  /** cancels an upload or removes a picture */
  onRemove: (id: string) => void
  onAgain: (id: string) => void
  onMove: (id: string, by: 1 | -1) => void
  onView: (id: string) => void
}

/** Picture upload: each item shows progress and a cancel button; reordering and removal are in a sheet. */
export function ImagePicker(p: Props) {
  const { items, max, label } = p
  const [held, setHeld] = useState<string>()
  return (
    <Field {...p} extra={p.extra ?? `${items.length} / ${max}`}>
      <View className='ui-images' {...a11y('group', { label, invalid: p.error !== undefined })}>
        {items.map((item, at) => (
          <View key={item.id} className='ui-images__cell'>
            <Tile {...p} item={item} name={`第 ${at + 1} 张`} onMore={() => setHeld(item.id)} />
          </View>
        ))}
        {items.length < max ? (
          <View className='ui-images__cell'>
            <Pressable className='ui-images__tile ui-images__add' label={`${label}，添加图片`} onClick={p.onAdd}>
              <Icon name='camera' />
              <View className='ui-images__word'>添加图片</View>
            </Pressable>
          </View>
        ) : null}
      </View>
      <Menu {...p} held={held} onClose={() => setHeld(undefined)} />
    </Field>
  )
}

interface TileProps extends Props {
  item: ImageTile
  name: string
  onMore: () => void
}

function Tile({ item, name, onMore, onView, onRemove, onAgain }: TileProps) {
  const { id, src, state, percent, reason, again } = item
  const done = state === 'done'
  return (
    <View className={cx('ui-images__tile', state === 'failed' && 'ui-images__tile--bad')}>
      <Pressable
        className='ui-images__view'
        label={done ? `${name}，查看大图` : name}
        disabled={!done || !src}
        onClick={() => onView(id)}
      >
        {src && state !== 'failed' ? <Picture alt='' className='ui-images__img' mode='aspectFill' src={src} /> : null}
        {src || state === 'failed' ? null : <View className='ui-images__word'>已上传</View>}
      </Pressable>
      {state === 'busy' ? (
        <View className='ui-images__over' {...a11y('status')}>
          {percent > 0 ? `${percent}%` : '处理中'}
        </View>
      ) : null}
      {state === 'failed' ? (
        <View className='ui-images__over ui-images__over--bad' {...a11y('alert')}>
          <View className='ui-images__reason'>{reason}</View>
          {again ? (
            <Pressable className='ui-images__again' label={`${name}，重试`} onClick={() => onAgain(id)}>
              重试
            </Pressable>
          ) : null}
        </View>
      ) : null}
      <Pressable
        className='ui-images__corner'
        label={`${name}，${done ? '更多' : state === 'busy' ? '取消上传' : '删除'}`}
        onClick={() => (done ? onMore() : onRemove(id))}
      >
        <View className='ui-images__dot'>
          <Icon name={done ? 'more' : 'close'} size='s' />
        </View>
      </Pressable>
    </View>
  )
}

interface MenuProps extends Props {
  held: string | undefined
  onClose: () => void
}

/** Actions for one uploaded picture. */
function Menu({ items, held, onClose, onMove, onRemove }: MenuProps) {
  const done = items.filter((item) => item.state === 'done')
  const at = done.findIndex((item) => item.id === held)
  const then = (work: (id: string) => void) => () => {
    if (held !== undefined) work(held)
    onClose()
  }
  return (
    <Sheet open={held !== undefined} onClose={onClose} title={`第 ${at + 1} 张图片`} inset>
      <View className='ui-images__menu'>
        {at > 0 ? (
          <Button kind='secondary' block onClick={then((id) => onMove(id, -1))}>
            往前移
          </Button>
        ) : null}
        {at >= 0 && at < done.length - 1 ? (
          <Button kind='secondary' block onClick={then((id) => onMove(id, 1))}>
            往后移
          </Button>
        ) : null}
        <Button kind='danger' block onClick={then(onRemove)}>
          删除这张图片
        </Button>
      </View>
    </Sheet>
  )
}
