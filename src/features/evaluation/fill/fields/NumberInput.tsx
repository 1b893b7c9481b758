import { View } from '@tarojs/components'
import { useEffect, useState } from 'react'
import { cx } from '@/ui/cx'
import { Field, type FieldProps } from '@/ui/Field/Field'
import { useBox } from '@/ui/Field/useBox'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { SingleLineInput } from '@/ui/TextInput/TextInput'
import { type NumberRules, readNumber, stepValue } from './numberText'
import './NumberInput.scss'

/** Up to this maximum a stepper is shown. */
const STEPPER_MAX = 60
/** maximum length, with room for a pasted number with its unit; the form rejects numbers that are too long */
const MAX_INPUT_LENGTH = 30

export interface NumberInputProps extends Omit<FieldProps, 'children' | 'inline'>, NumberRules {
  /** a string: typed text that is not a number */
  value: number | string | undefined
  /** undefined: emptied. Limits and decimals are not enforced here: the form's rules report violations. */
  onChange: (value: number | string | undefined) => void
  /** decimal places; 0 by default */
  scale?: number | undefined
  unit?: string | undefined
  /** false: no buttons for one more and one less, to fit half a row */
  stepper?: boolean | undefined
  onBlur?: (() => void) | undefined
}

/** The number in digits; undefined if that would need an exponent. */
const formatValue = (value: number | string) => (/e/.test(String(value)) ? undefined : String(value))

/**
 * Keeps the typed text as long as it means the value of the prop; on blur it becomes the number that was recognised.
 */
function useText({ value, onChange, min, max, unit }: NumberInputProps) {
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
  const step = (by: 1 | -1) => onChange(stepValue(typeof value === 'number' ? value : undefined, by, { min, max }))
  return { text, type, normalise, step }
}

/** A number with its unit, the digit keyboard and, for small ranges, a stepper. */
export function NumberInput(p: NumberInputProps) {
  const { text, type, normalise, step } = useText(p)
  const { className, onFocus, onBlur } = useBox(p)
  const { value, min = 0, max, scale = 0, unit, label, stepper = true } = p
  const small = stepper && max !== undefined && max <= STEPPER_MAX && scale === 0
  const box = (
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
  )
  if (!small) return <Field {...p}>{box}</Field>
  return (
    <Field {...p}>
      <View className='ui-number'>
        <Step
          icon='minus'
          label={`${label}减一`}
          off={value === undefined || Number(value) <= min}
          onClick={() => step(-1)}
        />
        {box}
        <Step
          icon='plus'
          label={`${label}加一`}
          off={value !== undefined && Number(value) >= max}
          onClick={() => step(1)}
        />
      </View>
    </Field>
  )
}

interface StepProps {
  icon: 'plus' | 'minus'
  label: string
  off: boolean
  onClick: () => void
}

function Step({ icon, label, off, onClick }: StepProps) {
  return (
    <Pressable
      className={cx('ui-number__step', off && 'ui-number__step--off')}
      label={label}
      disabled={off}
      onClick={onClick}
    >
      <Icon name={icon} />
    </Pressable>
  )
}
