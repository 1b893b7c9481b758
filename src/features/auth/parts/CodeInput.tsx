import { View } from '@tarojs/components'
import { useState } from 'react'
import { smsCodeOf } from '@/contract/cleanText'
import { a11y } from '@/ui/a11y'
import { cx } from '@/ui/cx'
import { Field, type FieldProps } from '@/ui/Field/Field'
import { SingleLineInput } from '@/ui/TextInput/TextInput'
import './CodeInput.scss'

/** digits of an SMS code */
const LENGTH = 6
const places = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'] as const

interface Props extends Omit<FieldProps, 'children' | 'inline'> {
  value: string
  onChange: (value: string) => void
  focus?: boolean | undefined
  disabled?: boolean | undefined
}

/**
 * Six boxes drawn over a single input, so that pasting, keyboard suggestions and deleting work as usual. The digits of
 * a pasted message are extracted.
 */
export function CodeInput(p: Props) {
  const { value, onChange, focus = false, disabled } = p
  const [on, setOn] = useState(focus)
  return (
    <Field {...p}>
      <View className='ui-code'>
        <View className='ui-code__boxes' {...a11y(undefined, { hidden: true })}>
          {places.map((place, i) => (
            <View
              key={place}
              className={cx(
                'ui-code__box',
                p.error && 'ui-code__box--bad',
                on && i === Math.min(value.length, LENGTH - 1) && 'ui-code__box--on',
              )}
            >
              {value[i] ?? (on && i === value.length ? <View className='ui-code__caret' /> : null)}
            </View>
          ))}
        </View>
        <SingleLineInput
          className='ui-code__line'
          value={value}
          onChange={onChange}
          clean={smsCodeOf}
          name={`${p.label}，6 位数字`}
          keyboard='int'
          maxLength={LENGTH}
          autoComplete='one-time-code'
          focus={focus}
          disabled={disabled}
          invalid={p.error !== undefined}
          onFocus={() => setOn(true)}
          onBlur={() => setOn(false)}
        />
      </View>
    </Field>
  )
}
