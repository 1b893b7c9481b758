import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { Button } from '../Button/Button'
import { Art, type ArtName } from './Art'
import './Empty.scss'

interface Props {
  art?: ArtName
  /** one sentence */
  text: ReactNode
  note?: ReactNode
  /** one way on */
  action?: { text: string; onClick: () => void } | undefined
}

/** Nothing here yet: a drawing, a sentence, a way on. */
export function Empty({ art = 'box', text, note, action }: Props) {
  return (
    <View className='ui-empty'>
      <Art name={art} />
      <View className='ui-empty__text'>{text}</View>
      {note ? <View className='ui-empty__note'>{note}</View> : null}
      {action ? (
        <View className='ui-empty__action'>
          <Button kind='secondary' onClick={action.onClick}>
            {action.text}
          </Button>
        </View>
      ) : null}
    </View>
  )
}
