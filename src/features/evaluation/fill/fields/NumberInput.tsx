import { View } from '@tarojs/components'
import { useEffect, useState } from 'react'
import { cx } from '@/ui/cx'
import { Field, type FieldProps } from '@/ui/Field/Field'
import { useBox } from '@/ui/Field/useBox'
import { SingleLineInput } from '@/ui/TextInput/TextInput'
import { readNumber } from './numberText'
import './NumberInput.scss'

/** maximum length, with room for a pasted number with its unit; the form rejects numbers that are too long */
const MAX_INPUT_LENGTH = 30

export interface NumberInputProps extends Omit<FieldProps, 'children' | 'inline'> {
  min?: number | undefined
  max?: number | undefined
  /** a string: typed text that is not a number */
  value: number | string | undefined
  /** undefined: emptied. Limits and decimals are not enforced here: the form's rules report violations. */
  onChange: (value: number | string | undefined) => void
  /** decimal places; 0 by default */
  scale?: number | undefined
  unit?: string | undefined
  onBlur?: (() => void) | undefined
}

/** The number in digits; undefined if that would need an exponent. */
const formatValue = (value: number | string) => (/e/.test(String(value)) ? undefined : String(value))

/**
 * Keeps the typed text as long as it means the value of the prop; on blur it becomes the number that was recognised.
 */
function useText({ value, onChange, unit }: NumberInputProps) {
  const [text, setText] = useState(value === undefined ? '' : String(value))
  const parsed = readNumber(text, unit)
  useEffect(() => {
    if (parsed !== value) setText(value === undefined ? '' : String(value))
  }, [parsed, value])
  const type = (next: string) => {
    setText(next)
    const read = readNumber(next, unit)
    if (read !== value) onChange(read)
  }
  const normalise = () => {
    if (typeof parsed === 'number') setText(formatValue(parsed) ?? text)
  }
  return { text, type, normalise }
}

/** A number with its unit and the digit keyboard. */
export function NumberInput(p: NumberInputProps) {
  const { text, type, normalise } = useText(p)
  const { className, onFocus, onBlur } = useBox(p)
  const { min = 0, max, scale = 0, unit, label } = p
  return (
    <Field {...p}>
      <View className={cx(className, 'ui-number__box')}>
        <SingleLineInput
          className='ui-number__line'
          value={text}
          onChange={type}
          name={unit ? `${label}（${unit}）` : label}
          keyboard={scale > 0 ? 'decimal' : 'int'}
          maxLength={MAX_INPUT_LENGTH}
          placeholder={max === undefined ? '' : `${min}–${max}`}
          invalid={p.error !== undefined}
          onFocus={onFocus}
          onBlur={() => {
            normalise()
            onBlur()
          }}
        />
        {unit ? <View className='ui-number__unit'>{unit}</View> : null}
      </View>
    </Field>
  )
}
