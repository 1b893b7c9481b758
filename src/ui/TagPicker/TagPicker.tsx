import { View } from '@tarojs/components'
import { useState } from 'react'
import type { Option } from '@/contract/form/types'
import { Field, type FieldProps } from '../Field/Field'
import { PickSheet } from '../PickSheet/PickSheet'
import { Opener } from '../SheetSelect/Opener'
import { Picked } from './Picked'

export interface PickerProps<T> extends Omit<FieldProps, 'children' | 'inline'> {
  options: readonly Option[]
  value: readonly T[]
  onChange: (value: T[]) => void
  placeholder?: string | undefined
  maxItems?: number | undefined
  disabled?: boolean | undefined
}

/** Any number out of a dictionary; the chosen ones stand under the box and can be taken back there. */
export function TagPicker(p: PickerProps<string>) {
  const [open, setOpen] = useState(false)
  const { options, value, onChange } = p
  const toggle = (v: string) => onChange(value.includes(v) ? value.filter((x) => x !== v) : [...value, v])
  const nameOf = (v: string) => options.find((o) => o.v === v)?.t ?? v
  return (
    <Field {...p}>
      <Opener
        name={p.label}
        text={value.length > 0 ? `已选 ${value.length} 个` : undefined}
        placeholder={p.placeholder ?? '搜索并选择'}
        invalid={p.error !== undefined}
        disabled={p.disabled}
        open={open}
        onClick={() => setOpen(true)}
        icon='search'
      />
      <View className={value.length > 0 ? 'ui-picked' : ''}>
        <Picked items={value.map((v) => ({ v, text: nameOf(v) }))} onRemove={toggle} onMore={() => setOpen(true)} />
      </View>
      <PickSheet
        open={open}
        onClose={() => setOpen(false)}
        title={p.label}
        options={options}
        chosen={value}
        onToggle={toggle}
        maxItems={p.maxItems}
      />
    </Field>
  )
}
