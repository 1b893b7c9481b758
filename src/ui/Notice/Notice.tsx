import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { a11y } from '../a11y'
import { Icon } from '../Icon/Icon'
import type { IconName } from '../Icon/names'
import { Pressable } from '../Pressable/Pressable'
import { Unbroken } from '../Unbroken/Unbroken'
import './Notice.scss'

interface Props {
  text: ReactNode
  tone?: 'info' | 'warn' | 'bad' | 'ok'
  icon?: IconName
  action?: { text: string; onClick: () => void } | undefined
}

const icons = { info: 'info', warn: 'warning', bad: 'warning', ok: 'check-circle' } as const

/** An inline notice about the page: offline, restored draft, an error. */
export function Notice({ text, tone = 'info', icon, action }: Props) {
  return (
    <View className={`ui-notice ui-notice--${tone}`} {...a11y(tone === 'bad' ? 'alert' : 'status')}>
      <Icon name={icon ?? icons[tone]} size='s' className='ui-notice__icon' />
      <View className='ui-notice__text'>{typeof text === 'string' ? <Unbroken text={text} /> : text}</View>
      {action ? (
        <Pressable className='ui-notice__action' onClick={action.onClick}>
          {action.text}
        </Pressable>
      ) : null}
    </View>
  )
}
