import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import { cx } from '../cx'
import { useBox } from '../Field/useBox'
import { Icon } from '../Icon/Icon'
import { Pressable } from '../Pressable/Pressable'
import { SingleLineInput } from '../TextInput/TextInput'
import './SearchBar.scss'

interface Props {
  value: string
  onChange: (value: string) => void
  /** also the accessible name */
  placeholder: string
}

/** A search box with a cross to clear it. */
export function SearchBar({ value, onChange, placeholder }: Props) {
  const { className, ...handlers } = useBox({})
  return (
    <View className={cx(className, 'ui-search')} {...a11y('search')}>
      <Icon name='search' className='ui-search__icon' />
      <SingleLineInput
        value={value}
        onChange={onChange}
        name={placeholder}
        placeholder={placeholder}
        maxLength={40}
        confirmType='search'
        {...handlers}
      />
      {value ? (
        <Pressable className='ui-search__clear' label='清空' onClick={() => onChange('')}>
          <Icon name='close' size='s' />
        </Pressable>
      ) : null}
    </View>
  )
}
