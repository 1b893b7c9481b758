import { Switch as NutSwitch } from '@nutui/nutui-react-taro'
import { View } from '@tarojs/components'
import { onKeys } from '../a11y'
import './Switch.scss'

interface Props {
  value: boolean
  onChange: (value: boolean) => void
  /** accessible name */
  name: string
  /** the state in words: of a setting unless given */
  words?: readonly [on: string, off: string]
}

/** A switch that takes effect at once. The text beside it shows the state, not colour alone. */
export function Switch({ value, onChange, name, words: [on, off] = ['开', '关'] }: Props) {
  const flip = () => onChange(!value)
  return (
    <View className='ui-switch'>
      <View className='ui-switch__word'>{value ? on : off}</View>
      <NutSwitch
        checked={value}
        loading={false}
        onChange={flip}
        className='ui-pressable ui-switch__track'
        ariaLabel={name}
        {...onKeys(flip)}
      />
    </View>
  )
}
