import { View } from '@tarojs/components'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon/Icon'
import type { IconName } from '@/ui/Icon/names'
import { Pressable } from '@/ui/Pressable/Pressable'

interface Props {
  /** accessible name of the field */
  name: string
  /** the answer as text */
  text: string | undefined
  placeholder: string
  invalid?: boolean
  disabled?: boolean | undefined
  open: boolean
  onClick: () => void
  icon?: IconName
}

/** The box of a field that opens a sheet. */
export function Opener({ name, text, placeholder, invalid, disabled, open, onClick, icon = 'chevron-down' }: Props) {
  return (
    <Pressable
      className={cx('ui-box', invalid && 'ui-box--bad', disabled && 'ui-box--off')}
      label={`${name}，${text ?? placeholder}`}
      expanded={open}
      disabled={disabled}
      onClick={onClick}
    >
      <View className={cx('ui-box__value', !text && 'ui-box__value--empty')}>{text ?? placeholder}</View>
      <Icon name={icon} size='s' className='ui-box__more' />
    </Pressable>
  )
}
