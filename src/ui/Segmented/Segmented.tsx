import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import { cx } from '../cx'
import { Icon } from '../Icon/Icon'
import type { IconName } from '../Icon/names'
import { Tap } from '../Tap/Tap'
import './Segmented.scss'

export interface Segment<V extends string> {
  v: V
  text: string
  icon: IconName
  /** pink marks the human service */
  pink?: boolean
}

interface Props<V extends string> {
  /** for readers: what is chosen here */
  label: string
  segments: readonly Segment<V>[]
  value: V
  onChange: (value: V) => void
}

/** Two or three ways to do the same, one of them on show. */
export function Segmented<V extends string>({ label, segments, value, onChange }: Props<V>) {
  return (
    <View className='ui-segs' {...a11y('tablist', { label })}>
      {segments.map(({ v, text, icon, pink }) => (
        <Tap
          key={v}
          role='tab'
          selected={v === value}
          className={cx('ui-segs__one', v === value && 'ui-segs__one--on', pink && 'ui-segs__one--pink')}
          onClick={() => onChange(v)}
        >
          <Icon name={icon} />
          <View className='ui-segs__name'>{text}</View>
        </Tap>
      ))}
    </View>
  )
}
