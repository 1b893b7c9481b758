import { Switch as NutSwitch } from '@nutui/nutui-react-taro'
import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import { Field, type FieldProps } from '../Field/Field'
import './Switch.scss'

interface Props {
  value: boolean
  onChange: (value: boolean) => void
  /** spoken name */
  name: string
  disabled?: boolean | undefined
}

/** On or off, takes effect at once. The word beside it says which; the colour only helps. */
export function Switch({ value, onChange, name, disabled }: Props) {
  const flip = () => {
    if (!disabled) onChange(!value)
  }
  const keys = {
    onKeyDown: (e: { key?: string; preventDefault(): void }) => {
      if (e.key !== 'Enter' && e.key !== ' ') return
      e.preventDefault()
      flip()
    },
    // NutUI sets it, and on h5 it would become an attribute that does not exist
    ariaRole: undefined,
    ariaChecked: undefined,
    ariaDisabled: undefined,
  }
  return (
    <View className='ui-switch'>
      <View className='ui-switch__word'>{value ? '是' : '否'}</View>
      <NutSwitch
        checked={value}
        disabled={disabled ?? false}
        loading={false}
        onChange={flip}
        className='ui-switch__track'
        {...a11y('switch', { label: name, checked: value, disabled: disabled ?? false })}
        {...keys}
      />
    </View>
  )
}

export interface SwitchFieldProps extends Omit<FieldProps, 'children' | 'inline'> {
  value: boolean | undefined
  onChange: (value: boolean) => void
  disabled?: boolean | undefined
}

/** A yes-or-no field in one line. */
export function SwitchField(p: SwitchFieldProps) {
  return (
    <Field {...p} inline>
      <Switch name={p.label} value={p.value === true} onChange={p.onChange} disabled={p.disabled} />
    </Field>
  )
}
