import { View } from '@tarojs/components'
import { type ReactNode, useState } from 'react'
import type { Field } from '@/contract/form/types'
import { Card } from '@/ui/Card/Card'
import { Disclosure } from '@/ui/Disclosure/Disclosure'
import { fieldRows } from './model'
import './FormSection.scss'

interface Props {
  title: string
  fields: readonly Field[]
  /** folded until the user opens it */
  aside: boolean
  input: (field: Field) => ReactNode
}

/** Fields below each other; number fields share a row where there is room. */
export const fieldLines = (fields: readonly Field[], input: Props['input']): ReactNode =>
  fieldRows(fields).map((row) =>
    row.length > 1 ? (
      <View key={row[0]?.key} className='fill-row'>
        {row.map((field) => (
          <View key={field.key} className='fill-row__one'>
            {input(field)}
          </View>
        ))}
      </View>
    ) : (
      row.map(input)
    ),
  )

/** One group of fields. */
export function FormSection({ title, fields, aside, input }: Props) {
  const [opened, setOpened] = useState(false)
  if (aside && !opened)
    return (
      <Card flush>
        <Disclosure open={false} onToggle={setOpened} text={title} />
      </Card>
    )
  return <Card title={title}>{fieldLines(fields, input)}</Card>
}
