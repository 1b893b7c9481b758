import { View } from '@tarojs/components'
import { useState } from 'react'
import { api } from '@/api'
import { useSave } from '@/api/useSave'
import { avatars } from '@/contract/labels'
import { nameIssue } from '@/contract/rules'
import type { UserInfo } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { a11y } from '@/ui/a11y'
import { Cell } from '@/ui/Cell/Cell'
import { cx } from '@/ui/cx'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Sheet } from '@/ui/Sheet/Sheet'
import { TextInput } from '@/ui/TextInput/TextInput'
import { copy } from '../copy'
import { UserAvatar } from './UserAvatar'
import './ProfileCell.scss'

const words = copy.setting

interface Props {
  user: Pick<UserInfo, 'nickname' | 'avatar'>
  onChanged: () => void
}

function ProfileSheet({ user, onChanged, onClose }: Props & { onClose: () => void }) {
  const [nickname, setNickname] = useState(user.nickname)
  const [avatar, setAvatar] = useState(avatars.find((face) => face === user.avatar) ?? '')
  const { error, busy, save } = useSave({
    issue: () => nameIssue(nickname),
    send: () => api.user.updateSettings({ nickname: nickname.trim(), avatar }, { quiet: true }),
    saved() {
      dialog.toast(words.saved)
      onClose()
      onChanged()
    },
  })
  return (
    <Sheet
      open
      inset
      onClose={onClose}
      title={words.profile}
      action={{ text: words.save, loading: busy, onClick: save }}
    >
      <TextInput
        label={words.nickname}
        value={nickname}
        onChange={setNickname}
        maxLength={16}
        help={words.nicknameHelp}
        error={error}
        onConfirm={save}
      />
      <View className='profile__label'>{words.avatar}</View>
      <View className='profile__faces' {...a11y('radiogroup', { label: words.avatar })}>
        {avatars.map((face, i) => (
          <Pressable
            key={face}
            role='radio'
            checked={face === avatar}
            label={words.avatarNo(i + 1)}
            className={cx('profile__face', face === avatar && 'profile__face--on')}
            onClick={() => setAvatar(face)}
          >
            <UserAvatar avatar={face} nickname={nickname} />
          </Pressable>
        ))}
      </View>
    </Sheet>
  )
}

/** Shows and changes nickname and avatar. */
export function ProfileCell(props: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Cell title={words.profile} value={props.user.nickname} onClick={() => setOpen(true)} />
      {open ? <ProfileSheet {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
