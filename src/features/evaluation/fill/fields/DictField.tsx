import { View } from '@tarojs/components'
import { type ReactNode, useState } from 'react'
import type { Option } from '@/contract/form/types'
import { Field, type FieldProps } from '@/ui/Field/Field'
import { Opener } from './Opener'
import { PickSheet } from './PickSheet'
import { SelectedItems } from './SelectedItems'

export interface PickerProps<T> extends Omit<FieldProps, 'children' | 'inline'> {
  options: readonly Option[]
  value: readonly T[]
  onChange: (value: T[]) => void
  maxItems?: number | undefined
  disabled?: boolean | undefined
}

interface Props extends Omit<PickerProps<never>, 'value' | 'onChange'> {
  /** chosen options, with the text of their chips */
  chosen: readonly { v: string; text: string }[]
  onToggle: (v: string) => void
  /** text after 已选 n 个 */
  note?: string | undefined
  /** details of a chosen option, shown under it; its chip then opens them instead of removing it */
  detail?: (option: Option) => ReactNode
}

/** A field with options from a dictionary: the box, the chosen options under it, and the sheet. */
export function DictField(p: Props) {
  const { chosen, onToggle, note = '', detail } = p
  const [open, setOpen] = useState(false)
  const [showing, setShowing] = useState<string>()
  const openAt = (v?: string) => {
    setShowing(v)
    setOpen(true)
  }
  return (
    <Field {...p}>
      <Opener
        name={p.label}
        text={chosen.length > 0 ? `已选 ${chosen.length} 个${note}` : undefined}
        placeholder='搜索'
        invalid={p.error !== undefined}
        disabled={p.disabled}
        open={open}
        onClick={() => openAt()}
        icon='search'
      />
      <View className={chosen.length > 0 ? 'ui-picked' : ''}>
        <SelectedItems items={chosen} {...(detail ? {} : { onRemove: onToggle })} onMore={openAt} />
      </View>
      <PickSheet
        open={open}
        onClose={() => setOpen(false)}
        title={p.label}
        options={p.options}
        chosen={chosen.map(({ v }) => v)}
        onToggle={onToggle}
        maxItems={p.maxItems}
        detail={detail}
        showing={showing}
      />
    </Field>
  )
}

/** Name of an option; one that is no longer in the dictionary is shown as its value. */
export const nameIn = (options: readonly Option[], v: string) => options.find((o) => o.v === v)?.t ?? v
