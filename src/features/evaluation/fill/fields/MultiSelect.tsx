import { View } from '@tarojs/components'
import { a11y } from '@/ui/a11y'
import { Chip } from '@/ui/Chip/Chip'
import './ChipSelect.scss'
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
      <View className='ui-chips' {...a11y('group', { label: p.label, invalid: p.error !== undefined })}>
        {options.map(({ v, t }) => {
          const on = value.includes(v)
          return (
            <Chip
              key={v}
              role='checkbox'
              selected={on}
              disabled={p.disabled || (full && !on)}
              onClick={() => toggle(v)}
            >
              {t}
            </Chip>
          )
        })}
      </View>
    </Field>
  )
}
