import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import { cx } from '../cx'
import { Field, type FieldProps } from '../Field/Field'
import { Icon } from '../Icon/Icon'
import { Tap } from '../Tap/Tap'
import './Stars.scss'

interface Props extends Omit<FieldProps, 'children' | 'inline'> {
  /** 0 = none yet */
  value: number
  /** without it the stars can only be read */
  onChange?: ((value: number) => void) | undefined
  /** what each number of stars means */
  words: readonly [string, string, string, string, string]
}

const all = [1, 2, 3, 4, 5] as const

/** One to five stars; the word beside them says what they mean. */
export function Stars({ value, onChange, words, ...field }: Props) {
  const word = words[value - 1]
  const marks = all.map((n) => <Icon key={n} name={n <= value ? 'star-fill' : 'star'} size='l' />)
  return (
    <Field {...field} extra={word}>
      {onChange ? (
        <View className='ui-stars' {...a11y('radiogroup', { label: field.label })}>
          {all.map((n) => (
            <Tap
              key={n}
              role='radio'
              checked={n === value}
              label={`${n} 星，${words[n - 1]}`}
              className={cx('ui-stars__one', n <= value && 'ui-stars__one--on')}
              onClick={() => onChange(n)}
            >
              {marks[n - 1]}
            </Tap>
          ))}
        </View>
      ) : (
        <View className='ui-stars ui-stars--read' {...a11y('img', { label: `${field.label} ${value} 星` })}>
          {all.map((n) => (
            <View key={n} className={cx('ui-stars__one', n <= value && 'ui-stars__one--on')}>
              {marks[n - 1]}
            </View>
          ))}
        </View>
      )}
    </Field>
  )
}
