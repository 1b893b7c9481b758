import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { cx } from '../cx'
import { Icon } from '../Icon/Icon'
import { Pressable } from '../Pressable/Pressable'
import './Sheet.scss'

interface Props {
  children: ReactNode
  note?: ReactNode
  on: boolean
  onClick: () => void
  /** single or multiple choice */
  kind: 'radio' | 'checkbox'
  disabled?: boolean
  /** opens the next level instead of being the answer */
  more?: boolean
}

/** An option row in a Sheet. */
export function Choice({ children, note, on, onClick, kind, disabled, more }: Props) {
  return (
    <Pressable
      role={kind}
      checked={on}
      disabled={disabled}
      className={cx('ui-choice', on && 'ui-choice--on')}
      onClick={onClick}
    >
      <View className='ui-choice__text'>
        {children}
        {note ? <View className='ui-choice__note'>{note}</View> : null}
      </View>
      {more ? (
        <Icon name='chevron-right' size='s' className='ui-choice__more' />
      ) : (
        <View className={cx('ui-choice__mark', kind === 'radio' && 'ui-choice__mark--round')}>
          {on ? <Icon name='check' size='s' /> : null}
        </View>
      )}
    </Pressable>
  )
}
