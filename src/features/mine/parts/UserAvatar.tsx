import { View } from '@tarojs/components'
import { avatars } from '@/contract/labels'
import { Icon } from '@/ui/Icon/Icon'

/** A person's picture: the one they have chosen, else the first character of their name. */
export function UserAvatar({ avatar, nickname }: { avatar: string; nickname: string }) {
  const chosen = avatars.find((one) => one !== '' && one === avatar)
  return <View className='mine-head__mark'>{chosen ? <Icon name={chosen} size='l' /> : [...nickname][0]}</View>
}
