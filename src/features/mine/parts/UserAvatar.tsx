import { View } from '@tarojs/components'
import { avatars } from '@/contract/labels'
import { Icon } from '@/ui/Icon/Icon'

/** The chosen avatar, or the first character of the nickname. */
export function UserAvatar({ avatar, nickname }: { avatar: string; nickname: string }) {
  const chosen = avatars.find((known) => known !== '' && known === avatar)
  return <View className='mine-head__mark'>{chosen ? <Icon name={chosen} size='l' /> : [...nickname][0]}</View>
}
