import { DictField, nameIn, type PickerProps } from '../DictField/DictField'

/** Any number out of a dictionary; the chosen ones stand under the box and can be taken back there. */
export function TagPicker({ value, onChange, ...p }: PickerProps<string>) {
  const toggle = (v: string) => onChange(value.includes(v) ? value.filter((x) => x !== v) : [...value, v])
  return <DictField {...p} chosen={value.map((v) => ({ v, text: nameIn(p.options, v) }))} onToggle={toggle} />
}
