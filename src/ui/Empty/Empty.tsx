import { Empty as NutEmpty } from '@nutui/nutui-react-taro'
import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { Button } from '../Button/Button'
import { type ArtName, Illustration } from './Art'
import './Empty.scss'

interface Props {
  art?: ArtName
  /** one sentence */
  text: string
  note?: ReactNode
  /** a next action */
  action?: { text: string; onClick: () => void } | undefined
}

/** Empty state: a drawing, a sentence, a next action. */
export function Empty({ art = 'box', text, note, action }: Props) {
  return (
    <NutEmpty
      className='ui-empty'
      image={<Illustration name={art} />}
      title={<View className='ui-art__text'>{text}</View>}
      description={note ? <View className='ui-art__note'>{note}</View> : undefined}
    >
      {action ? (
        <Button kind='secondary' className='ui-art__action' onClick={action.onClick}>
          {action.text}
        </Button>
      ) : null}
    </NutEmpty>
  )
}
