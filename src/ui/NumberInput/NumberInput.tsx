import { View } from '@tarojs/components'
import { useEffect, useState } from 'react'
import { cx } from '../cx'
import { Field, type FieldProps } from '../Field/Field'
import { Icon } from '../Icon/Icon'
import { Tap } from '../Tap/Tap'
import { SingleLineInput } from '../TextInput/TextInput'
import { type NumberRules, readNumber, stepped } from './text'
import './NumberInput.scss'

/** Up to this maximum a number is tapped rather than typed. */
const STEPPER_MAX = 60
/** room for a pasted number with its words; what is too long for a number the form refuses */
const MAX_INPUT_LENGTH = 30

export interface NumberInputProps extends Omit<FieldProps, 'children' | 'inline'>, NumberRules {
  /** text: typed, and no number */
  value: number | string | undefined
  /** undefined: emptied. Neither limits nor decimals are forced here: the form's rules say what is wrong with a number. */
  onChange: (value: number | string | undefined) => void
  /** digits after the point; 0 when left out */
  scale?: number | undefined
  unit?: string | undefined
  placeholder?: string | undefined
  disabled?: boolean | undefined
  onBlur?: (() => void) | undefined
}

/** As digits, where digits can say it. */
const formatValue = (value: number | string) => (/e/.test(String(value)) ? undefined : String(value))

/** The typed text lives here as long as it means the value outside; on leaving it becomes the digits that were understood. */
function useText({ value, onChange, min, max, unit }: NumberInputProps) {
  const [text, setText] = useState(value === undefined ? '' : String(value))
  const known = readNumber(text, unit)
  useEffect(() => {
    if (known !== value) setText(value === undefined ? '' : String(value))
  }, [known, value])
  const type = (next: string) => {
    setText(next)
    const read = readNumber(next, unit)
    if (read !== value) onChange(read)
  }
  const settle = () => {
    if (typeof known === 'number') setText(formatValue(known) ?? text)
  }
  const step = (by: 1 | -1) => onChange(stepped(typeof value === 'number' ? value : undefined, by, { min, max }))
  return { text, type, settle, step }
}

/** A number with its unit, the digit keyboard and, for small ranges, a stepper. */
export function NumberInput(p: NumberInputProps) {
  const { text, type, settle, step } = useText(p)
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
      <SingleLineInput
        className='ui-number__line'
        value={text}
        onChange={type}
        name={unit ? `${label}（${unit}）` : label}
        keyboard={scale > 0 ? 'decimal' : 'int'}
        maxLength={MAX_INPUT_LENGTH}
        placeholder={p.placeholder ?? (max === undefined ? '请输入' : `${min}–${max}`)}
        invalid={p.error !== undefined}
        disabled={disabled}
        onFocus={() => setOn(true)}
        onBlur={() => {
          setOn(false)
          settle()
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
          off={disabled || value === undefined || Number(value) <= min}
          onClick={() => step(-1)}
        />
        {box}
        <Step
          icon='plus'
          label={`${label}加一`}
          off={disabled || (value !== undefined && Number(value) >= max)}
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
