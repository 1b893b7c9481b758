import { Input, View } from '@tarojs/components'
import { type ReactNode, useMemo, useState } from 'react'
import { input } from '@/platform/input'
import { cx } from '../cx'
import { Field, type FieldProps } from '../Field/Field'
import { useBox } from '../Field/useBox'
import { Icon } from '../Icon/Icon'
import { nativeMaxLength } from '../limitText'
import { Pressable } from '../Pressable/Pressable'
import { useTextValue } from './useTextValue'
import './TextInput.scss'

/** px between the line being typed and the keyboard */
export const CURSOR_SPACING = 24

/** Type of keyboard. On h5 the input itself is always plain text: browsers drop or change digits in number inputs. */
type Keyboard = 'text' | 'int' | 'decimal' | 'tel' | 'idcard'

export interface SingleLineInputProps {
  value: string
  onChange: (value: string) => void
  /** filters the typed text; by default all that is visible is kept */
  clean?: ((raw: string) => string) | undefined
  /** accessible name of the box */
  name: string
  placeholder?: string | undefined
  keyboard?: Keyboard | undefined
  /** maximum characters (Unicode code points) */
  maxLength?: number | undefined
  password?: boolean | undefined
  disabled?: boolean | undefined
  invalid?: boolean | undefined
  /** autofill type: `tel`, `one-time-code`, `current-password`, `new-password` */
  autoComplete?: string | undefined
  focus?: boolean | undefined
  confirmType?: 'done' | 'search' | 'next' | 'send' | undefined
  className?: string | undefined
  onFocus?: (() => void) | undefined
  onBlur?: (() => void) | undefined
  onConfirm?: (() => void) | undefined
}

/** UTF-16 units of a pasted text that `clean` reduces to the allowed length */
const RAW_MAX = 500

const modes = { text: 'text', int: 'numeric', decimal: 'decimal', tel: 'tel', idcard: 'text' } as const
const types = { text: 'text', int: 'number', decimal: 'digit', tel: 'number', idcard: 'idcard' } as const

/**
 * Wrapper of Taro's Input. `nativeProps` must have a stable identity: a new object makes Taro re-render the box, which
 * discards the composition of an input method. The type on h5 is plain text, because Taro silently drops full-width
 * digits, 万, points and signs from number inputs; `inputmode` chooses the keyboard.
 */
export function SingleLineInput(p: SingleLineInputProps) {
  const { name, keyboard = 'text', password = false, invalid = false, autoComplete = 'off', maxLength = 140 } = p
  const native = useMemo(
    () => ({
      'aria-label': name,
      'aria-invalid': invalid ? 'true' : 'false',
      autocomplete: autoComplete,
      inputmode: modes[keyboard],
      type: password ? 'password' : keyboard === 'tel' ? 'tel' : 'text',
      autocapitalize: 'off',
      spellcheck: false,
    }),
    [name, invalid, autoComplete, keyboard, password],
  )
  const { shown, onInput } = useTextValue({ ...p, maxLength })
  return (
    <Input
      className={cx('ui-line', p.className)}
      value={shown}
      type={input.dropsKeysByType ? 'text' : types[keyboard]}
      password={password}
      placeholder={p.placeholder ?? ''}
      placeholderClass='ui-line__ghost'
      maxlength={p.clean ? RAW_MAX : nativeMaxLength(maxLength)}
      cursorSpacing={CURSOR_SPACING}
      disabled={p.disabled ?? false}
      focus={p.focus ?? false}
      confirmType={p.confirmType ?? 'done'}
      nativeProps={native}
      onInput={onInput}
      onFocus={() => p.onFocus?.()}
      onBlur={() => p.onBlur?.()}
      onConfirm={() => p.onConfirm?.()}
    />
  )
}

export interface TextInputProps
  extends Omit<FieldProps, 'children'>,
    Omit<SingleLineInputProps, 'name' | 'invalid' | 'className' | 'onFocus'> {
  /** on the right inside the box: a unit, a button */
  suffix?: ReactNode
}

/** One line of text with its label. */
export function TextInput(p: TextInputProps) {
  const [shown, setShown] = useState(false)
  const { className, ...handlers } = useBox(p)
  const { password, suffix } = p
  return (
    <Field {...p}>
      <View className={className}>
        <SingleLineInput
          {...p}
          {...handlers}
          name={p.label}
          password={password === true && !shown}
          invalid={p.error !== undefined}
        />
        {password ? (
          <Pressable className='ui-line__eye' label={shown ? '隐藏密码' : '显示密码'} onClick={() => setShown(!shown)}>
            <Icon name={shown ? 'eye' : 'eye-off'} />
          </Pressable>
        ) : null}
        {suffix ? <View className='ui-line__suffix'>{suffix}</View> : null}
      </View>
    </Field>
  )
}
