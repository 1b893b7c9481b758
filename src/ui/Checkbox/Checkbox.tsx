import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { cx } from '../cx'
import { Icon } from '../Icon/Icon'
import { Tap } from '../Tap/Tap'
import './Checkbox.scss'

interface Props {
  value: boolean
  onChange: (value: boolean) => void
  /** spoken name: the whole sentence that is agreed to */
  name: string
  /** the sentence; links in it take their own taps */
  children: ReactNode
  /** shakes once each time this number changes: submitted without the tick */
  nudge?: number
}

/** A consent, never ticked beforehand. */
export function Checkbox({ value, onChange, name, children, nudge = 0 }: Props) {
  return (
    <View className={cx('ui-check', nudge > 0 && `ui-check--nudge${nudge % 2}`)}>
      <Tap role='checkbox' checked={value} label={name} className='ui-check__hit' onClick={() => onChange(!value)}>
        <View className={cx('ui-check__box', value && 'ui-check__box--on')}>
          {value ? <Icon name='check' size='s' /> : null}
        </View>
      </Tap>
      <View className='ui-check__text' onClick={() => onChange(!value)}>
        {children}
      </View>
    </View>
  )
}

/** A link inside a sentence. */
export function TextLink({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <Tap role='link' className='ui-link' onClick={onClick}>
      {children}
    </Tap>
  )
}
