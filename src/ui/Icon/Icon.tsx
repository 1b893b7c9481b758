import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import { cx } from '../cx'
import type { IconName } from './names'
import './Icon.scss'

interface Props {
  name: IconName
  /** 16, 20, 24 and 40 design pixels; `m` when left out */
  size?: 's' | 'm' | 'l' | 'xl'
  /** accessible name; without it the icon is decorative */
  label?: string
  className?: string | undefined
}

/** A line icon in the current text colour. */
export function Icon({ name, size = 'm', label, className }: Props) {
  return (
    <View
      className={cx('ui-icon', `ui-icon--${name}`, `ui-icon--${size}`, className)}
      {...(label ? a11y('img', { label }) : a11y(undefined, { hidden: true }))}
    />
  )
}
