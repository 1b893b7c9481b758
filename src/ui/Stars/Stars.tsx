import { Rate } from '@nutui/nutui-react-taro'
import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import { cx } from '../cx'
import { Field, type FieldProps } from '../Field/Field'
import { Icon } from '../Icon/Icon'
import { Pressable } from '../Pressable/Pressable'
import './Stars.scss'

interface Props extends Omit<FieldProps, 'children' | 'inline'> {
  /** 0 = none yet */
  value: number
  /** without it the stars are read-only */
  onChange?: ((value: number) => void) | undefined
  /** meaning of each number of stars */
  words: readonly [string, string, string, string, string]
}

const all = [1, 2, 3, 4, 5] as const

/** One to five stars with the meaning of the rating beside them. */
export function Stars({ value, onChange, words, ...field }: Props) {
  return (
    <Field {...field} extra={words[value - 1]}>
      <View
        className={cx('ui-stars', !onChange && 'ui-stars--read')}
        {...(onChange
          ? a11y('radiogroup', { label: field.label })
          : a11y('img', { label: `${field.label} ${value} 星` }))}
      >
        <Rate
          readOnly
          value={value}
          checkedIcon={<Icon name='star-fill' size='l' className='ui-stars__on' />}
          uncheckedIcon={<Icon name='star' size='l' />}
        />
        {/* NutUI's stars have no names and cannot be focused: each is covered by an element of ours */}
        {onChange ? (
          <View className='ui-stars__over'>
            {all.map((n) => (
              <Pressable
                key={n}
                role='radio'
                checked={n === value}
                label={`${n} 星，${words[n - 1]}`}
                className='ui-stars__one'
                onClick={() => onChange(n)}
              />
            ))}
          </View>
        ) : null}
      </View>
    </Field>
  )
}
