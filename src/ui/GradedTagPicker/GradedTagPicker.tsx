import { View } from '@tarojs/components'
import { useState } from 'react'
import type { GradedTag, Option } from '@/contract/form/types'
import { a11y } from '../a11y'
import { Chip } from '../Chip/Chip'
import { Field } from '../Field/Field'
import { PickSheet } from '../PickSheet/PickSheet'
import { Opener } from '../SheetSelect/Opener'
import { Picked } from '../TagPicker/Picked'
import type { PickerProps } from '../TagPicker/TagPicker'

interface Props extends PickerProps<GradedTag> {
  /** best first */
  grades: readonly string[]
}

/** Tags with a quality each, asked right under the chosen tag. A new one has none (`g: ''`): nobody's guess is sent. */
export function GradedTagPicker(p: Props) {
  const [open, setOpen] = useState(false)
  const { options, value, onChange, grades } = p
  const toggle = (v: string) =>
    onChange(value.some((row) => row.v === v) ? value.filter((row) => row.v !== v) : [...value, { v, g: '' }])
  const nameOf = (v: string) => options.find((o) => o.v === v)?.t ?? v
  const ungraded = value.filter((row) => !row.g).length
  const grade = ({ v, t }: Option) => (
    <View className='ui-chips' {...a11y('radiogroup', { label: `${t}的品质` })}>
      {grades.map((g) => (
        <View key={g} className='ui-chips__item'>
          <Chip
            role='radio'
            selected={value.some((row) => row.v === v && row.g === g)}
            onClick={() => onChange(value.map((row) => (row.v === v ? { v, g } : row)))}
          >
            {g}
          </Chip>
        </View>
      ))}
    </View>
  )
  return (
    <Field {...p}>
      <Opener
        name={p.label}
        text={value.length > 0 ? `已选 ${value.length} 个${ungraded > 0 ? `，${ungraded} 个待选品质` : ''}` : undefined}
        placeholder={p.placeholder ?? '搜索并选择'}
        invalid={p.error !== undefined}
        disabled={p.disabled}
        open={open}
        onClick={() => setOpen(true)}
        icon='search'
      />
      <View className={value.length > 0 ? 'ui-picked' : ''}>
        <Picked
          items={value.map(({ v, g }) => ({ v, text: `${nameOf(v)} ${g || '待选品质'}` }))}
          onMore={() => setOpen(true)}
        />
      </View>
      <PickSheet
        open={open}
        onClose={() => setOpen(false)}
        title={p.label}
        options={options}
        chosen={value.map(({ v }) => v)}
        onToggle={toggle}
        maxItems={p.maxItems}
        detail={grade}
      />
    </Field>
  )
}
