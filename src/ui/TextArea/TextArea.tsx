import { Textarea, View } from '@tarojs/components'
import { useMemo } from 'react'
import { cx } from '../cx'
import { Field, type FieldProps } from '../Field/Field'
import { useBox } from '../Field/useBox'
import { nativeMaxLength } from '../limitText'
import { CURSOR_SPACING } from '../TextInput/TextInput'
import { useTextValue } from '../TextInput/useTextValue'
import './TextArea.scss'

export interface TextAreaProps extends Omit<FieldProps, 'children' | 'inline' | 'extra'> {
  value: string
  onChange: (value: string) => void
  /** maximum characters (Unicode code points), with a counter under the box */
  maxLength?: number | undefined
  placeholder?: string | undefined
  onBlur?: (() => void) | undefined
}

/** A multi-line text with a counter. */
export function TextArea(p: TextAreaProps) {
  const { label, value, onChange, maxLength = 200, placeholder = '', error } = p
  const invalid = error !== undefined
  const box = useBox(p)
  const { shown, onInput } = useTextValue({ value, onChange, maxLength })
  // stable identity: a new object makes Taro re-render the box during input method composition
  const native = useMemo(() => ({ 'aria-label': label, 'aria-invalid': invalid ? 'true' : 'false' }), [label, invalid])
  return (
    <Field {...p}>
      <View className={cx(box.className, 'ui-area')}>
        <Textarea
          className='ui-area__text'
          value={shown}
          maxlength={nativeMaxLength(maxLength)}
          cursorSpacing={CURSOR_SPACING}
          placeholder={placeholder}
          placeholderClass='ui-line__ghost'
          nativeProps={native}
          onInput={onInput}
          onFocus={box.onFocus}
          onBlur={box.onBlur}
        />
        <View className='ui-area__count'>{`${[...value].length}/${maxLength}`}</View>
      </View>
    </Field>
  )
}
