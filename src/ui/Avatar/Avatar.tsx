import { Avatar as NutAvatar } from '@nutui/nutui-react-taro'
import { Icon } from '../Icon/Icon'
import type { IconName } from '../Icon/names'
import './Avatar.scss'

interface Props {
  icon: IconName
  /** an empty place */
  free?: boolean
}

/** A round avatar. */
export function Avatar({ icon, free }: Props) {
  return (
    <NutAvatar
      size='normal'
      className={free ? 'ui-avatar ui-avatar--free' : 'ui-avatar'}
      background={free ? 'transparent' : 'var(--pink-soft)'}
      color={free ? 'var(--hint)' : 'var(--pink-text)'}
      icon={<Icon name={icon} size='m' />}
    />
  )
}
