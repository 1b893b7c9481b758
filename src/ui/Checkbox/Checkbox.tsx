import { Checkbox as NutCheckbox } from '@nutui/nutui-react-taro'
import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { a11y, onKeys } from '../a11y'
import { cx } from '../cx'
import { Icon } from '../Icon/Icon'
import { Pressable } from '../Pressable/Pressable'
import './Checkbox.scss'

interface Props {
  value: boolean
  onChange: (value: boolean) => void
  /** accessible name: the full text that is agreed to */
  name: string
  /** the text; links in it are tappable separately */
  children: ReactNode
  /** shakes whenever this number changes: the form was submitted without the tick */
  shakes?: number
}

/** A consent checkbox, unticked by default. */
export function Checkbox({ value, onChange, name, children, shakes = 0 }: Props) {
  const flip = () => onChange(!value)
  return (
    <View className={cx('ui-check', shakes > 0 && `ui-check--shake${shakes % 2}`)}>
      {/* beside the text, not around it, because the text contains links */}
      <NutCheckbox
        className='ui-pressable ui-check__hit'
        checked={value}
        onChange={onChange}
        icon={<View className='ui-check__box' />}
        activeIcon={
          <View className='ui-check__box ui-check__box--on'>
            <Icon name='check' size='s' />
          </View>
        }
        {...a11y(undefined, { label: name })}
        {...onKeys(flip)}
      />
      <View className='ui-check__text' onClick={flip}>
        {children}
      </View>
    </View>
  )
}

/** A link within text. */
export function TextLink({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <Pressable role='link' className='ui-link' onClick={onClick}>
      {children}
    </Pressable>
  )
}
