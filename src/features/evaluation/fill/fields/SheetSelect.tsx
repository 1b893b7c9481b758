import { View } from '@tarojs/components'
import { useState } from 'react'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Field } from '@/ui/Field/Field'
import { Choice } from '@/ui/Sheet/Choice'
import { Sheet } from '@/ui/Sheet/Sheet'
import type { SelectProps } from './ChipSelect'
import { Opener } from './Opener'

/** Single choice in a sheet; choosing closes it. */
export function SheetSelect(p: SelectProps) {
  const [open, setOpen] = useState(false)
  const chosen = p.options.find((o) => o.v === p.value)
  const choose = (v: string | undefined) => {
    setOpen(false)
    if (v !== p.value) p.onChange(v)
  }
  const clear =
    chosen && !p.required ? (
      <Button kind='ghost' block onClick={() => choose(undefined)}>
        清除选择
      </Button>
    ) : null
  return (
    <Field {...p}>
      <Opener
        name={p.label}
        text={chosen?.t ?? p.value}
        placeholder='请选择'
        invalid={p.error !== undefined}
        disabled={p.disabled}
        open={open}
        onClick={() => setOpen(true)}
      />
      <Sheet open={open} onClose={() => setOpen(false)} title={p.label} foot={clear}>
        <View {...a11y('radiogroup', { label: p.label })}>
          {p.options.map((o) => (
            <Choice key={o.v} kind='radio' on={o.v === p.value} onClick={() => choose(o.v)}>
              {o.t}
            </Choice>
          ))}
        </View>
      </Sheet>
    </Field>
  )
}
