import { View } from '@tarojs/components'
import { useEffect, useState } from 'react'
import { cx } from '../cx'
import { Field, type FieldProps } from '../Field/Field'
import { Icon } from '../Icon/Icon'
import { Tap } from '../Tap/Tap'
import { Line } from '../TextInput/TextInput'
import { cleanNumber, type NumberRules, numberOf, stepped } from './text'
import './NumberInput.scss'

/** Up to this maximum a number is tapped rather than typed. */
const STEPPER_MAX = 60
/** digits; more cannot be held exactly */
const LONGEST = 15

export interface NumberInputProps extends Omit<FieldProps, 'children' | 'inline'>, NumberRules {
  value: number | undefined
  /** undefined: emptied. Limits are not forced here: the form's rules say what is wrong with a number. */
  onChange: (value: number | undefined) => void
  unit?: string | undefined
  placeholder?: string | undefined
  disabled?: boolean | undefined
  onBlur?: (() => void) | undefined
}

/** The typed text lives here as long as it means the value outside, so that `1.` and `1.0` can be typed. */
function useText({ value, onChange, min, max, scale }: NumberInputProps) {
  const [text, setText] = useState(value === undefined ? '' : String(value))
  const known = numberOf(text)
  useEffect(() => {
    if (known !== value) setText(value === undefined ? '' : String(value))
  }, [known, value])
  const rules = { min, max, scale }
  const clean = (raw: string) => cleanNumber(raw, rules)
  const type = (next: string) => {
    setText(next)
    if (numberOf(next) !== value) onChange(numberOf(next))
  }
  return { text, clean, type, step: (by: 1 | -1) => onChange(stepped(value, by, rules)) }
}

/** A number with its unit, the digit keyboard and, for small ranges, a stepper. */
export function NumberInput(p: NumberInputProps) {
  const { text, clean, type, step } = useText(p)
  const [on, setOn] = useState(false)
  const { value, min = 0, max, scale = 0, unit, disabled, label } = p
  const small = max !== undefined && max <= STEPPER_MAX && scale === 0
  const box = (
    <View
      className={cx(
        'ui-box',
        'ui-number__box',
        on && 'ui-box--on',
        p.error && 'ui-box--bad',
        disabled && 'ui-box--off',
      )}
    >
      <Line
        className='ui-number__line'
        value={text}
        onChange={type}
        clean={clean}
        name={unit ? `${label}（${unit}）` : label}
        keyboard={scale > 0 ? 'decimal' : 'int'}
        maxLength={LONGEST}
        placeholder={p.placeholder ?? (max === undefined ? '请输入' : `${min}–${max}`)}
        invalid={p.error !== undefined}
        disabled={disabled}
        onFocus={() => setOn(true)}
        onBlur={() => {
          setOn(false)
          p.onBlur?.()
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
          off={disabled || value === undefined || value <= min}
          onClick={() => step(-1)}
        />
        {box}
        <Step
          icon='plus'
          label={`${label}加一`}
          off={disabled || (value !== undefined && value >= max)}
          onClick={() => step(1)}
        />
      </View>
    </Field>
  )
}

interface StepProps {
  icon: 'plus' | 'minus'
  label: string
  off: boolean | undefined
  onClick: () => void
}

function Step({ icon, label, off, onClick }: StepProps) {
  return (
    <Tap
      className={cx('ui-number__step', off && 'ui-number__step--off')}
      label={label}
      disabled={off}
      onClick={onClick}
    >
      <Icon name={icon} />
    </Tap>
  )
}
