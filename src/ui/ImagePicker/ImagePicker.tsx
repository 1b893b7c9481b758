import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import { cx } from '../cx'
import { Field, type FieldProps } from '../Field/Field'
import { Icon } from '../Icon/Icon'
import { Picture } from '../Picture/Picture'
import { Pressable } from '../Pressable/Pressable'
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
  onView: (id: string) => void
}

/** Picture upload: each item shows progress and a button that cancels or removes it. */
export function ImagePicker(p: Props) {
  const { items, max, label } = p
  return (
    <Field {...p} extra={p.extra ?? `${items.length} / ${max}`}>
      <View className='ui-images' {...a11y('group', { label, invalid: p.error !== undefined })}>
        {items.map((item, index) => (
          <View key={item.id} className='ui-images__cell'>
            <Tile {...p} item={item} name={`第 ${index + 1} 张`} />
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
    </Field>
  )
}

interface TileProps extends Props {
  item: ImageTile
  name: string
}

function Tile({ item, name, onView, onRemove, onAgain }: TileProps) {
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
        label={`${name}，${state === 'busy' ? '取消上传' : '删除'}`}
        onClick={() => onRemove(id)}
      >
        <View className='ui-images__dot'>
          <Icon name='close' size='s' />
        </View>
      </Pressable>
    </View>
  )
}
