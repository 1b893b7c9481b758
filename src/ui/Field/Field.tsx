import { View } from '@tarojs/components'
import { type ReactNode, useState } from 'react'
import { imagePreview } from '@/platform/imagePreview'
import { a11y } from '../a11y'
import { cx } from '../cx'
import { Icon } from '../Icon/Icon'
import { Picture } from '../Picture/Picture'
import { Pressable } from '../Pressable/Pressable'
import './Field.scss'

export interface FieldProps {
  /** anchor, used to scroll to the first error */
  id?: string | undefined
  label: string
  required?: boolean | undefined
  /** help text, expanded under the label */
  help?: string | undefined
  /** URL of a picture showing where to find the value, below the help */
  helpImage?: string | undefined
  error?: string | undefined
  /** like an error, but not blocking */
  warning?: string | undefined
  /** right of the label: a counter, a link */
  extra?: ReactNode
  /** label and control in one line, for switches and small numbers */
  inline?: boolean | undefined
  children?: ReactNode
}

/** Label, help, control and error: the frame of every form control. */
export function Field({ id, label, required, help, helpImage, error, warning, extra, inline, children }: FieldProps) {
  const [open, setOpen] = useState(false)
  const message = error ?? warning
  return (
    <View {...(id ? { id } : {})} className={cx('ui-field', error && 'ui-field--bad', inline && 'ui-field--inline')}>
      <View className='ui-field__row'>
        <View className='ui-field__head'>
          <View className='ui-field__name'>
            <View className='ui-field__label'>{label}</View>
            {required ? (
              <View className='ui-field__must' {...a11y('img', { label: '必填' })}>
                *
              </View>
            ) : null}
            {help || helpImage ? (
              <Pressable
                className='ui-field__help'
                label={`${label}：填写说明`}
                expanded={open}
                onClick={() => setOpen(!open)}
              >
                <Icon name='help' size='s' />
              </Pressable>
            ) : null}
          </View>
          {extra ? <View className='ui-field__extra'>{extra}</View> : null}
        </View>
        {inline ? <View className='ui-field__control'>{children}</View> : null}
      </View>
      {open ? (
        <View className='ui-field__tip'>
          {help}
          {helpImage ? (
            <Pressable label={`${label}：看示意图`} onClick={() => imagePreview.open([helpImage])}>
              <Picture alt='' className='ui-field__picture' mode='aspectFit' src={helpImage} />
            </Pressable>
          ) : null}
        </View>
      ) : null}
      {inline ? null : <View className='ui-field__control'>{children}</View>}
      {message ? (
        <View className={cx('ui-field__says', !error && 'ui-field__says--warn')} {...a11y('alert')}>
          <Icon name='warning' size='s' className='ui-field__mark' />
          <View className='ui-field__reason'>{message}</View>
        </View>
      ) : null}
    </View>
  )
}
