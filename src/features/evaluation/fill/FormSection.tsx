import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import type { Field } from '@/contract/form/types'
import { Card } from '@/ui/Card/Card'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import { fieldRows } from './model'
import './FormSection.scss'

interface Props {
  title: string
  fields: readonly Field[]
  /** every counted field is answered */
  done: boolean
  collapsed: boolean
  /** answers in short, shown while folded */
  summary: string
  onCollapse: (folded: boolean) => void
  input: (field: Field, half: boolean) => ReactNode
}

/** Fields below each other; number fields share a row where there is room. */
export const fieldLines = (fields: readonly Field[], input: Props['input']): ReactNode =>
  fieldRows(fields).map((row) =>
    row.length > 1 ? (
      <View key={row[0]?.key} className='fill-row'>
        {row.map((field) => (
          <View key={field.key} className='fill-row__one'>
            {input(field, true)}
          </View>
        ))}
      </View>
    ) : (
      row.map((field) => input(field, false))
    ),
  )

/** One group of fields; a finished group can be folded, a folded one unfolded. */
export function FormSection({ title, fields, done, collapsed: folded, summary, onCollapse: onFold, input }: Props) {
  const fold =
    done || folded ? (
      <Pressable
        className='ui-card__link'
        expanded={!folded}
        label={[title, ...(done ? [copy.sectionDone] : []), folded ? copy.unfold : copy.fold].join('，')}
        onClick={() => onFold(!folded)}
      >
        {done ? <Icon name='check' size='s' className='fill-fold__done' /> : null}
        <Icon name={folded ? 'chevron-down' : 'chevron-up'} size='s' />
      </Pressable>
    ) : undefined
  return (
    <Card title={title} extra={fold}>
      {folded ? <View className='fill-fold__summary'>{summary}</View> : fieldLines(fields, input)}
    </Card>
  )
}
