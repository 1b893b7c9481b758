import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { Icon } from '../Icon/Icon'
import type { IconName } from '../Icon/names'
import './Tag.scss'

export type Tone = 'plain' | 'blue' | 'pink' | 'ok' | 'warn' | 'bad'

interface Props {
  children: ReactNode
  tone?: Tone
  /** distinguishes tags besides colour */
  icon?: IconName
}

/** A status label that does not depend on colour. */
export function Tag({ children, tone = 'plain', icon }: Props) {
  return (
    <View className={`ui-tag ui-tag--${tone}`}>
      {icon ? <Icon name={icon} size='s' className='ui-tag__icon' /> : null}
      {children}
    </View>
  )
}
