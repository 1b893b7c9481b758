import { Chips } from '@/ui/Chip/Chips'
import { Field } from '@/ui/Field/Field'
import type { PickerProps } from './DictField'
import { TagPicker } from './TagPicker'

/** Up to this many options are shown inline; more are chosen in a sheet. */
const MAX_VISIBLE = 12

/** Multiple choice. */
export function MultiSelect(p: PickerProps<string>) {
  const { options, value, onChange, maxItems } = p
  if (options.length > MAX_VISIBLE) return <TagPicker {...p} />
  const full = maxItems !== undefined && value.length >= maxItems
  const toggle = (v: string) => onChange(value.includes(v) ? value.filter((x) => x !== v) : [...value, v])
  return (
    <Field {...p} extra={p.extra ?? (full ? `最多选 ${maxItems} 个` : undefined)}>
      <Chips
        role='checkbox'
        label={p.label}
        invalid={p.error !== undefined}
        options={options}
        isOn={(v) => value.includes(v)}
        isDisabled={(v) => p.disabled === true || (full && !value.includes(v))}
        onPick={toggle}
      />
    </Field>
  )
}
