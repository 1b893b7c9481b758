import type { Option } from '@/contract/form/types'
import { Chips } from '@/ui/Chip/Chips'
import { Field, type FieldProps } from '@/ui/Field/Field'

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
      <Chips
        role='radio'
        label={p.label}
        invalid={p.error !== undefined}
        options={options}
        isOn={(v) => v === value}
        isDisabled={() => p.disabled === true}
        onPick={(v) => (v !== value ? onChange(v) : required ? undefined : onChange(undefined))}
      />
    </Field>
  )
}
