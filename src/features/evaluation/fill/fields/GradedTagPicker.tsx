import type { GradedTag, Option } from '@/contract/form/types'
import { Chips } from '@/ui/Chip/Chips'
import { DictField, nameIn, type PickerProps } from './DictField'

interface Props extends PickerProps<GradedTag> {
  /** best first */
  grades: readonly string[]
}

/** Tags with a grade each, selected under the tag. A new tag has none (`g: ''`): no default is sent as an answer. */
export function GradedTagPicker({ value, onChange, grades, ...p }: Props) {
  const toggle = (v: string) =>
    onChange(value.some((row) => row.v === v) ? value.filter((row) => row.v !== v) : [...value, { v, g: '' }])
  const ungraded = value.filter((row) => !row.g).length
  const grade = ({ v, t }: Option) => (
    <Chips
      role='radio'
      label={`${t}的品质`}
      options={grades.map((g) => ({ v: g, t: g }))}
      isOn={(g) => value.some((row) => row.v === v && row.g === g)}
      onPick={(g) => onChange(value.map((row) => (row.v === v ? { v, g } : row)))}
    />
  )
  return (
    <DictField
      {...p}
      chosen={value.map(({ v, g }) => ({ v, text: `${nameIn(p.options, v)} ${g || '待选品质'}` }))}
      note={ungraded > 0 ? `，${ungraded} 个待选品质` : ''}
      onToggle={toggle}
      detail={grade}
    />
  )
}
