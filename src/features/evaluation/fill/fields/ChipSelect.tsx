import { View } from '@tarojs/components'
import type { Option } from '@/contract/form/types'
import { a11y } from '@/ui/a11y'
import { Chip } from '@/ui/Chip/Chip'
import { Field, type FieldProps } from '@/ui/Field/Field'
import './ChipSelect.scss'

export interface SelectProps extends Omit<FieldProps, 'children'> {
  options: readonly Option[]
  value: string | undefined
  /** undefined: deselected, which only optional fields allow */
  onChange: (value: string | undefined) => void
  disabled?: boolean | undefined
}

/** Single choice with all options visible. For more than six use SheetSelect. */
export function ChipSelect(p: SelectProps) {
  const { options, value, onChange, required } = p
  return (
    <Field {...p}>
      <View className='ui-chips' {...a11y('radiogroup', { label: p.label, invalid: p.error !== undefined })}>
        {options.map(({ v, t }) => (
          <Chip
            key={v}
            role='radio'
            selected={v === value}
            disabled={p.disabled === true}
            onClick={() => (v !== value ? onChange(v) : required ? undefined : onChange(undefined))}
          >
            {t}
          </Chip>
        ))}
      </View>
    </Field>
  )
}
