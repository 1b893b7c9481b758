import { Avatar as NutAvatar } from '@nutui/nutui-react-taro'
import { Icon } from '../Icon/Icon'
import type { IconName } from '../Icon/names'
import './Avatar.scss'

interface Props {
  icon: IconName
  /** pink: the staff; blue: the user */
  tone?: 'pink' | 'blue'
  /** a dashed placeholder */
  free?: boolean
}

/** A round avatar. */
export function Avatar({ icon, tone = 'pink', free }: Props) {
  return (
    <NutAvatar
      size='normal'
      className={free ? 'ui-avatar ui-avatar--free' : 'ui-avatar'}
      background={free ? 'transparent' : `var(--${tone}-soft)`}
      color={free ? 'var(--hint)' : `var(--${tone}-text)`}
      icon={<Icon name={icon} size='m' />}
    />
  )
}
