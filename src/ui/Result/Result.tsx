import { ResultPage } from '@nutui/nutui-react-taro'
import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { Icon } from '../Icon/Icon'
import type { IconName } from '../Icon/names'
import './Result.scss'

interface Props {
  icon: IconName
  tone: 'ok' | 'bad' | 'blue'
  title: string
  note?: string | undefined
  /** below the text: for example what was paid */
  children?: ReactNode
}

/** The outcome of an action, at the top of a page. */
export function Result({ icon, tone, title, note, children }: Props) {
  return (
    <ResultPage
      className={`ui-result ui-result--${tone}`}
      icon={
        <View className='ui-result__mark'>
          <Icon name={icon} size='xl' />
        </View>
      }
      title={title}
      // NutUI would truncate a string after two lines
      description={note ? <View className='ui-result__note'>{note}</View> : undefined}
    >
      {children}
    </ResultPage>
  )
}
