import { Segmented as NutSegmented } from '@nutui/nutui-react-taro'
import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import { cx } from '../cx'
import { Icon } from '../Icon/Icon'
import type { IconName } from '../Icon/names'
import { Pressable } from '../Pressable/Pressable'
import './Segmented.scss'

export interface Segment<V extends string> {
  v: V
  text: string
  icon: IconName
  /** pink, for the human service */
  pink?: boolean
}

interface Props<V extends string> {
  /** accessible name of the choice */
  label: string
  segments: readonly Segment<V>[]
  value: V
  onChange: (value: V) => void
}

/** A switch between two or three alternatives. */
export function Segmented<V extends string>({ label, segments, value, onChange }: Props<V>) {
  return (
    <View className='ui-segs' {...a11y('tablist', { label })}>
      {/* NutUI's items have neither role nor selected state, and cannot be focused by keyboard */}
      <NutSegmented
        value={value}
        options={segments.map(({ v, text, icon, pink }) => ({
          value: v,
          className: cx(pink && 'ui-segs__pink'),
          label: (
            <Pressable role='tab' selected={v === value} className='ui-segs__one' onClick={() => onChange(v)}>
              <Icon name={icon} />
              <View className='ui-segs__name'>{text}</View>
            </Pressable>
          ),
        }))}
      />
    </View>
  )
}
