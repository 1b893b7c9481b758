import { Empty as NutEmpty } from '@nutui/nutui-react-taro'
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
    <NutEmpty className='ui-empty' image={<Illustration name={art} />} title={text} description={note || undefined}>
      {action ? (
        <Button kind='secondary' className='ui-empty__action' onClick={action.onClick}>
          {action.text}
        </Button>
      ) : null}
    </NutEmpty>
  )
}
