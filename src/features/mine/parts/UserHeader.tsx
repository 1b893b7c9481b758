import { View } from '@tarojs/components'
import type { UserInfo } from '@/contract/types'
import { nav } from '@/router/nav'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from '../copy'
import { UserAvatar } from './UserAvatar'
import './UserHeader.scss'

/** Header for guests with the benefits of logging in. */
export function GuestHeader() {
  return (
    <Pressable className='mine-head' onClick={() => void nav.login()}>
      <View className='mine-head__mark'>
        <Icon name='user' />
      </View>
      <View className='mine-head__body'>
        <View className='mine-head__name'>{copy.login}</View>
        <View className='mine-head__note'>{copy.loginNote}</View>
      </View>
      <Icon name='chevron-right' size='s' />
    </Pressable>
  )
}

export function UserHeader({ user }: { user: UserInfo }) {
  return (
    <Pressable className='mine-head' onClick={() => void nav.to('mineSetting')}>
      <UserAvatar avatar={user.avatar} nickname={user.nickname} />
      <View className='mine-head__body'>
        <View className='mine-head__line'>
          <View className='mine-head__name'>{user.nickname}</View>
          {user.realName.status === 'PASSED' ? (
            <Tag tone='ok' icon='check'>
              {copy.verified}
            </Tag>
          ) : null}
        </View>
        <View className='mine-head__note'>{user.mobileMasked || copy.noMobile}</View>
      </View>
      <Icon name='chevron-right' size='s' />
    </Pressable>
  )
}
