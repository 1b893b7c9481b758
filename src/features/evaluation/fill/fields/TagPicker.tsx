import { DictField, nameIn, type PickerProps } from './DictField'

/** Multiple choice from a dictionary; chosen options are shown under the box and can be removed there. */
export function TagPicker({ value, onChange, ...p }: PickerProps<string>) {
  const toggle = (v: string) => onChange(value.includes(v) ? value.filter((x) => x !== v) : [...value, v])
  return <DictField {...p} chosen={value.map((v) => ({ v, text: nameIn(p.options, v) }))} onToggle={toggle} />
}
